//! `growth` counts the instructions that every surface takes for adversarial inputs at n and 2n, and
//! fails where twice the input takes more than 2.6 times the work. Instructions do not depend on the
//! machine's load, as times do.
//!
//! All cases run in one process under callgrind, which writes its counts at each call of `mark`; for
//! that it needs the names of functions, so the binary must not be stripped:
//! `CARGO_PROFILE_DIST_STRIP=none cargo build --profile dist -p widgetcast-bench`.

mod inputs;

use std::hint::black_box;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use widgetcast_core::{
    Presentation, Reading, SURFACES, Schema, Surface, View, Widget, extract, sample_arguments,
};

use crate::error::Result;
use inputs::{Input, Named, inputs};

/// Rows, members or components of the smaller input, and characters of the smaller text.
const ROWS: usize = 200;
const CHARACTERS: usize = 1_500;
/// The factor by which the work may grow when the input is doubled.
const MOST: f64 = 2.6;
/// Work that is too little to have a meaningful factor.
const NEGLIGIBLE: u64 = 200_000;
/// What any input may take, however small: hosts show tables of fifty rows and as many columns.
const FIXED: f64 = 400_000_000.0;
/// What it may take for each byte of JSON besides.
const PER_BYTE: f64 = 12_000.0;

/// One thing to measure, at two sizes.
struct Case {
    name: String,
    /// The bytes of the smaller input.
    bytes: usize,
    runs: [Box<dyn Fn()>; 2],
}

/// Runs every case under callgrind, and checks the counts. What grows too fast is run again at four
/// times the size: a card that does not fit is built once more, which is a step and no growth.
pub(crate) fn run() -> Result {
    let first = measure(1, "")?;
    let suspects: Vec<&str> =
        first.iter().filter(|count| count.fault().is_some()).map(|count| &*count.name).collect();
    let again = if suspects.is_empty() { Vec::new() } else { measure(4, &suspects.join("\n"))? };
    let faults: Vec<String> = again.iter().filter_map(Count::fault).collect();
    for count in first.iter().chain(&again) {
        println!(
            "{:56} {:>12} {:>12} {:>6.2}",
            count.name,
            count.small,
            count.large,
            count.large as f64 / count.small.max(1) as f64
        );
    }
    if !faults.is_empty() || first.is_empty() {
        return Err(faults.join("\n").into());
    }
    println!("{} passed, 0 failed", first.len());
    Ok(())
}

/// The instructions of a case at both sizes.
struct Count {
    name: String,
    bytes: f64,
    small: u64,
    large: u64,
}

impl Count {
    fn fault(&self) -> Option<String> {
        let factor = self.large as f64 / self.small.max(1) as f64;
        let most = FIXED + PER_BYTE * self.bytes;
        if self.large > NEGLIGIBLE && factor > MOST {
            Some(format!("{}: {factor:.1} times the work for twice the input", self.name))
        } else if self.small as f64 > most {
            Some(format!("{}: {} instructions, more than {most:.0}", self.name, self.small))
        } else {
            None
        }
    }
}

/// Runs all cases, or those of these names, at their size times a factor.
fn measure(factor: usize, names: &str) -> Result<Vec<Count>> {
    let dir = std::env::temp_dir().join(format!("widgetcast-growth-{}", std::process::id()));
    std::fs::create_dir_all(&dir)?;
    let counts = measure_in(&dir, factor, names);
    std::fs::remove_dir_all(&dir)?;
    counts
}

fn measure_in(dir: &Path, factor: usize, names: &str) -> Result<Vec<Count>> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--dump-before=*growth_mark*", "--dump-line=no"])
        .arg(format!("--callgrind-out-file={}", dir.join("out").display()))
        .arg(std::env::current_exe()?)
        .args(["growth-cases", &factor.to_string(), names])
        .output()
        .map_err(|error| {
            format!("valgrind cannot be run ({error}); Debian has it as `valgrind`")
        })?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let cases = printed.lines().filter_map(|line| line.split_once('\t'));
    let counts = cases.enumerate().map(|(index, (bytes, name))| {
        // Three marks for each case: before the first run, between the two, and after the second.
        let count = |mark: usize| cost(&dir.join(format!("out.{}", 3 * index + mark)));
        let (small, large) = (count(2)?, count(3)?);
        Ok(Count { name: name.to_owned(), bytes: bytes.parse()?, small, large })
    });
    counts.collect()
}

/// The instructions that callgrind counted between two marks.
fn cost(file: &Path) -> Result<u64> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| format!("{}: {error}; is the binary stripped?", file.display()))?;
    let line = text.lines().find_map(|line| line.strip_prefix("summary: "));
    Ok(line.ok_or("callgrind wrote no summary")?.trim().parse()?)
}

/// What `growth` runs under callgrind: prints each case, and runs it at both sizes between marks. Without
/// names it runs all.
pub(crate) fn run_cases(factor: usize, names: &str) -> Result {
    let mut index = 0;
    let is_wanted = |name: &str| names.is_empty() || names.lines().any(|known| known == name);
    let mut each = |case: &Case| {
        if !is_wanted(&case.name) {
            return;
        }
        println!("{}\t{}", case.bytes, case.name);
        // Once before: what is computed on first use is no part of it.
        if index == 0 {
            case.runs[0]();
        }
        growth_mark(index);
        case.runs[0]();
        growth_mark(index + 1);
        case.runs[1]();
        growth_mark(index + 2);
        index += 3;
    };
    for input in inputs() {
        surfaces(&input, factor, &mut each)?;
    }
    others(factor).iter().for_each(each);
    Ok(())
}

/// Where callgrind writes what it has counted.
#[inline(never)]
fn growth_mark(index: usize) {
    black_box(index);
}

fn surfaces(input: &Input, factor: usize, each: &mut dyn FnMut(&Case)) -> Result {
    let n = factor * if input.is_text { CHARACTERS } else { ROWS };
    let trees = [(input.tree)(n), (input.tree)(2 * n)];
    let bytes = trees[0].to_string().len();
    let views = [view(&trees[0])?, view(&trees[1])?];
    // ChatKit and MCP Apps send the text and the tree as they are, and ChatGPT what MCP Apps has.
    let printing = |surface: &&Surface| match surface.name {
        "chatkit" | "chatgpt" => !input.is_text,
        name => !matches!(name, "mcp-apps" | "slack-work-object"),
    };
    for surface in SURFACES.iter().filter(printing) {
        let runs = views.clone().map(|view| -> Box<dyn Fn()> {
            Box::new(move || {
                let presentation = Presentation::new("tool", "id", &view);
                drop(black_box((surface.render)(&presentation)));
            })
        });
        each(&Case { name: format!("{}, {}", surface.name, input.name), bytes, runs });
    }
    Ok(())
}

fn view(tree: &Value) -> Result<View> {
    let definition = json!({"version": "1.0", "name": "any", "template": "{{ tree | tojson }}"});
    Ok(Widget::parse(&definition.to_string())?.render(&json!({"tree": tree}))?)
}

/// What is no surface: reading results of others, drawing samples for a schema, and reading arguments that
/// do not fit.
fn others(factor: usize) -> Vec<Case> {
    let results: &[Named<Value>] = &[
        ("texts", |n| json!({"content": vec![json!({"type": "text", "text": "a"}); n]})),
        ("broken items", |n| json!({"content": vec![json!({"type": "b"}); n]})),
        ("images", |n| {
            let image = json!({"type": "image", "mimeType": "image/png", "data": "AAAA"});
            json!({"content": vec![image; n]})
        }),
        ("a long payload", |n| resource(&format!("{{\"widget\": \"{}\"}}", "a".repeat(20 * n)))),
        ("brackets", |n| resource(&"[".repeat(20 * n))),
        ("quotes", |n| resource(&"\"\\".repeat(10 * n))),
        ("JSON in JSON", |n| {
            let inner = (0..8).fold(format!("\"{}\"", "a".repeat(n)), |inner, _| {
                json!({"widget": inner}).to_string()
            });
            resource(&inner)
        }),
        ("a tree of faults", |n| {
            let tree = json!({"type": "Card", "children": vec![json!({"type": "No"}); n]});
            resource(&json!({"widget": tree}).to_string())
        }),
    ];
    let schemas: &[Named<Value>] = &[
        ("properties", |n| json!({"type": "object", "properties": members(n, "string")})),
        ("patterns", |n| {
            json!({"type": "object", "properties": members(n / 2, "string"),
                "patternProperties": members(n / 2, "string")})
        }),
        ("an enum", |n| json!({"enum": (0..n).collect::<Vec<_>>()})),
        ("two enums", |n| {
            let values: Vec<usize> = (0..n).collect();
            json!({"allOf": [{"enum": values}, {"enum": values}]})
        }),
        ("alternatives", |n| json!({"anyOf": vec![json!({"type": "string", "minLength": 9}); n]})),
        ("impossible alternatives", |n| json!({"anyOf": vec![json!({"enum": []}); n]})),
        ("a long list", |n| json!({"type": "array", "minItems": n, "items": {"type": "string"}})),
    ];
    // More of them, because each takes little compared with validation.
    let arguments: &[Named<Value>] = &[
        ("nulls", |n| (0..10 * n).map(|index| (format!("p{index}"), Value::Null)).collect()),
        ("numbers as texts", |n| {
            (0..10 * n).map(|index| (format!("p{index}"), json!(index.to_string()))).collect()
        }),
    ];
    let mut cases = Vec::new();
    for (name, make) in arguments {
        cases.push(case(&format!("arguments, {name}"), factor, *make, |sent| {
            let schema = Schema::compile(
                &json!({"type": "object", "additionalProperties": {"type": "integer"}}),
            );
            let read = schema.ok().and_then(|schema| schema.read(&sent.into(), Reading::Lossless));
            assert!(black_box(read).is_some());
        }));
    }
    for (name, make) in results {
        cases.push(case(&format!("extract, {name}"), factor, *make, |result| {
            drop(black_box(extract::extract(result)));
        }));
    }
    for (name, make) in schemas {
        cases.push(case(&format!("sample, {name}"), factor, *make, |schema| {
            drop(black_box(sample_arguments(schema)));
        }));
    }
    cases
}

fn case(name: &str, factor: usize, make: fn(usize) -> Value, run: fn(&Value)) -> Case {
    let values = [make(factor * ROWS), make(2 * factor * ROWS)];
    let bytes = values[0].to_string().len();
    let runs = values.map(|value| -> Box<dyn Fn()> { Box::new(move || run(&value)) });
    Case { name: name.to_owned(), bytes, runs }
}

fn resource(text: &str) -> Value {
    json!({"content": [{"type": "resource", "resource": {
        "uri": "ui://widgets/a/1", "mimeType": "application/vnd.ui.widget+json", "text": text}}]})
}

fn members(n: usize, kind: &str) -> Value {
    (0..n).map(|index| (format!("p{index}"), json!({"type": kind}))).collect()
}
