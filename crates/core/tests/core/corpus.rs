use super::shared;
use serde_json::Value;
use widgetcast_core::*;

#[test]
fn explore() {
    let Some(corpus) = shared::folder("corpus") else { return };
    let mut fast = 0;
    for file in shared::files(&corpus.join("widgets"), "widget") {
        let stem = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let catalog = Catalog::from_file(&file);
        for f in catalog.findings() {
            println!("FINDING {f:#}");
        }
        let Some(w) = catalog.widgets().next() else {
            println!("NOLOAD {stem}");
            continue;
        };
        if w.is_fast() {
            fast += 1
        } else {
            println!("SLOW {stem}");
        }
        let input = shared::json(&corpus.join("input").join(format!("{stem}.json")));
        let expected = corpus.join("expected_wire").join(format!("{stem}.json"));
        match w.render(&input) {
            Err(e) => println!("RENDER {stem} {e:#}"),
            Ok(v) => {
                let slow = w.render_slowly(&input);
                match slow {
                    Ok(s) => {
                        if shared::normal(&s.tree()) != shared::normal(&v.tree()) {
                            println!("FASTSLOW {stem}\n{}\n{}", v.json(), s.json())
                        }
                    }
                    Err(e) => println!("SLOWERR {stem} {e:#}"),
                }
                if expected.exists() {
                    let e = shared::json(&expected);
                    if shared::normal(&e) != shared::normal(&v.tree()) {
                        println!("DIFF {stem}\n{}\n{}", v.json(), e)
                    }
                } else {
                    println!("NOEXP {stem} ok")
                }
            }
        }
    }
    println!("fast {fast}");
    let mut n = 0;
    for file in shared::files(&corpus.join("variants"), "json") {
        let case = shared::json(&file);
        let stem = file.file_stem().unwrap().to_str().unwrap();
        let catalog =
            Catalog::from_file(corpus.join("widgets").join(case["widget"].as_str().unwrap()));
        let Some(w) = catalog.widgets().next() else { continue };
        let input = &case["input"];
        let a = w
            .render_unvalidated(input)
            .map(|v| shared::normal(&v.tree()))
            .map_err(|e| e.to_string());
        let b =
            w.render_slowly(input).map(|v| shared::normal(&v.tree())).map_err(|e| e.to_string());
        if a != b {
            println!("VFASTSLOW {stem} {a:?} {b:?}");
        }
        let e = &case["tree"];
        match (&a, e) {
            (Ok(t), Value::Null) => println!(
                "VOK-PYERR {stem} {}",
                case["error"]["message"].to_string().chars().take(80).collect::<String>()
            ),
            (Ok(t), e) if *t == shared::normal(e) => n += 1,
            (Ok(t), e) => println!("VDIFF {stem}\n  {}\n  {}", t, shared::normal(e)),
            (Err(x), Value::Null) => println!("VBOTHERR {stem} {x}"),
            (Err(x), _) => println!("VERR {stem} {x}"),
        }
    }
    println!("variants equal {n}");
}
