//! Faults that one legal input triggers, planted into generated widgets: `check` must find the input.
//!
//! Each widget is made around a witness: data that is valid, and that reaches the planted expression
//! through conditions which are true of it. Rendering the witness proves that the fault is there, or that
//! the sound counterpart has none. The conditions are those that authors write; what `check` reads of
//! them plays no part here.

use serde_json::{Map, Value, json};
use widgetcast_core::{Catalog, CheckOptions, Finding, Kind, Severity, check};

const WIDGETS: u64 = 300;

#[test]
fn planted_faults_are_found_and_sound_widgets_are_not_blamed() {
    let halves = std::thread::scope(|scope| {
        let half = |first| move || (first..WIDGETS).step_by(2).map(judge).collect::<Vec<_>>();
        let threads = [0, 1].map(|first| scope.spawn(half(first)));
        threads.map(|thread| thread.join().unwrap())
    });
    let (missed, blamed): (Vec<_>, Vec<_>) = halves.into_iter().flatten().unzip();
    let (missed, blamed): (Vec<String>, Vec<String>) =
        (missed.into_iter().flatten().collect(), blamed.into_iter().flatten().collect());
    let found = WIDGETS as usize - missed.len();
    println!("planted faults found: {found} of {WIDGETS}");
    println!("sound widgets blamed: {} of {WIDGETS}", blamed.len());
    assert!(blamed.is_empty(), "{}", blamed.join("\n\n"));
    assert!(found * 100 >= WIDGETS as usize * 95, "{}", missed.join("\n\n"));
}

/// The fault of a seed if it is missed, and its sound counterpart if that is blamed.
fn judge(seed: u64) -> (Option<String>, Option<String>) {
    let faulty = widget(seed, true);
    let (drawn, found) = drawn_and_found(&faulty);
    let Widget { text, witness, fault } = &faulty;
    // What loading refuses is found as well.
    if let Some(drawn) = drawn {
        // A wrong value does not keep a tree from being drawn.
        let is_right =
            |json: &str| COLORS.iter().any(|color| json.contains(&format!(r#""color":"{color}""#)));
        let is_there = drawn.map_or(true, |json| !is_right(&json));
        assert!(is_there, "{seed}: the {fault} is not there: {witness}\n{text}");
    }
    let missed = found.is_empty().then(|| format!("{seed}, {fault}: {witness}\n{text}"));

    let sound = widget(seed, false);
    let (drawn, found) = drawn_and_found(&sound);
    let Widget { text, witness, .. } = &sound;
    let drawn = drawn.unwrap_or_else(|| panic!("{seed}: {found:#?}\n{text}"));
    assert!(drawn.is_ok(), "{seed}: {}\n{witness}\n{text}", drawn.unwrap_err());
    (missed, (!found.is_empty()).then(|| format!("{seed}: {}\n{text}", found.join("\n"))))
}

/// The witness drawn, if the widget loads, and what `check` says is broken.
fn drawn_and_found(widget: &Widget) -> (Option<Result<String, String>>, Vec<String>) {
    let text: &'static str = Box::leak(widget.text.clone().into_boxed_str());
    let catalog = Catalog::from_static(&[("a.widget", text)]);
    let drawn = catalog.widgets().next().map(|loaded| loaded.render(&widget.witness));
    let drawn = drawn.map(|drawn| match drawn {
        Ok(view) => Ok(view.json().to_owned()),
        Err(error) => Err(format!("{error:#}")),
    });
    let is_break = |finding: &&Finding| {
        finding.severity == Severity::Error || finding.error.kind() == Kind::InputBreaks
    };
    let findings = check(&catalog, &CheckOptions::default(), &|_| {});
    (drawn, findings.iter().filter(is_break).map(|finding| format!("{finding:#}")).collect())
}

struct Widget {
    text: String,
    witness: Value,
    fault: &'static str,
}

/// A value that conditions may test: its expression, and what the witness has there.
#[derive(Clone)]
struct Place {
    expr: String,
    value: Option<Value>,
    /// The other values that an `enum` allows.
    others: Vec<String>,
}

/// Random numbers: the same seed gives the same widget.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn once_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }
}

const WORDS: [&str; 12] = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "north-west",
    "Shipped",
    "in transit",
    "x1",
    "Ada",
    "draft",
    "ÄÖÜ",
    "ok",
];
const STATES: [&str; 6] = ["open", "paid", "late", "void", "shipped", "lost"];
const COLORS: [&str; 4] = ["success", "danger", "info", "warning"];

/// The schema of a widget and the witness, made together.
struct World {
    random: Random,
    properties: Map<String, Value>,
    required: Vec<String>,
    witness: Map<String, Value>,
    places: Vec<Place>,
}

impl World {
    /// Declares a property. Optional ones may be absent from the witness.
    fn declare(&mut self, name: &str, schema: Value, value: Value, optional: bool) {
        let others =
            schema["enum"].as_array().into_iter().flatten().filter(|other| **other != value);
        let others = others.filter_map(Value::as_str).map(str::to_owned).collect();
        self.properties.insert(name.into(), schema);
        let is_absent = optional && self.random.once_in(2);
        if !optional {
            self.required.push(name.into());
        }
        let value = (!is_absent).then_some(value);
        if let Some(value) = &value {
            self.witness.insert(name.into(), value.clone());
        }
        self.places.push(Place { expr: name.into(), value, others });
    }

    fn fill(&mut self) {
        for name in ["title", "place", "owner"] {
            let word = self.random.pick(&WORDS);
            let optional = name != "title" && self.random.once_in(2);
            self.declare(name, json!({"type": "string"}), json!(word), optional);
        }
        for name in ["status", "phase"] {
            let count = 2 + self.random.below(4);
            let allowed = &STATES[..count];
            let state = self.random.pick(allowed);
            let optional = name == "phase" && self.random.once_in(2);
            self.declare(name, json!({"type": "string", "enum": allowed}), json!(state), optional);
        }
        for name in ["count", "score", "limit"] {
            let most = self.random.pick(&[20, 100, 5_000]);
            let number = self.random.below(most);
            let schema = json!({"type": "integer", "minimum": 0, "maximum": most});
            let optional = name != "count" && self.random.once_in(2);
            self.declare(name, schema, json!(number), optional);
        }
        let flag = self.random.once_in(2);
        let optional = self.random.once_in(3);
        self.declare("urgent", json!({"type": "boolean"}), json!(flag), optional);
        let tags: Vec<&str> = (0..self.random.below(5)).map(|n| WORDS[n]).collect();
        let strings = json!({"type": "array", "items": {"type": "string"}});
        self.declare("tags", strings, json!(tags), false);
        let parts = |random: &mut Random| -> Vec<Value> {
            let count = 1 + random.below(3);
            (0..count)
                .map(|n| json!({"id": n + random.below(9), "label": random.pick(&WORDS)}))
                .collect()
        };
        let lines: Vec<Value> = (0..1 + self.random.below(3))
            .map(|_| {
                let parts = parts(&mut self.random);
                json!({"name": self.random.pick(&WORDS), "amount": self.random.below(50),
                    "kind": self.random.pick(&STATES[..3]), "parts": parts})
            })
            .collect();
        let part = json!({"type": "object", "required": ["id", "label"], "properties": {
            "id": {"type": "integer"}, "label": {"type": "string"}, "memo": {"type": "string"}}});
        let line = json!({"type": "object", "required": ["name", "amount", "kind", "parts"], "properties": {
            "name": {"type": "string"}, "amount": {"type": "integer", "minimum": 0},
            "kind": {"type": "string", "enum": STATES[..3]}, "hint": {"type": "string"},
            "parts": {"type": "array", "items": part}}});
        self.declare("lines", json!({"type": "array", "items": line}), json!(lines), false);
        let address = json!({"type": "object", "required": ["city"], "properties": {
            "city": {"type": "string"}, "code": {"type": "string"}, "floor": {"type": "integer"}}});
        let city = self.random.pick(&WORDS);
        self.declare("address", address, json!({"city": city}), false);
        self.places.retain(|place| !["lines", "address"].contains(&place.expr.as_str()));
        let list = self.witness["lines"].clone();
        self.places.push(Place { expr: "lines".into(), value: Some(list), others: Vec::new() });
        self.places.push(Place {
            expr: "address.city".into(),
            value: Some(json!(city)),
            others: Vec::new(),
        });
    }

    /// A condition that is true of the witness.
    fn condition(&mut self, places: &[Place]) -> String {
        let place = self.random.pick(places);
        let simple = self.simple(&place);
        match self.random.below(8) {
            0 => {
                let other = self.random.pick(places);
                format!("{simple} and {}", self.simple(&other))
            }
            1 => format!("({simple} or title == 'nothing like it')"),
            2 => format!("not (title == 'nothing like it') and {simple}"),
            _ => simple,
        }
    }

    fn simple(&mut self, place: &Place) -> String {
        let e = &place.expr;
        let Some(value) = &place.value else {
            let forms =
                ["E is not defined", "not E", "E is none", "E is undefined", "not E is defined"];
            return self.random.pick(&forms).replace('E', e);
        };
        match value {
            Value::Bool(true) => self.random.pick(&["E", "E == true", "not not E"]).replace('E', e),
            Value::Bool(false) => {
                self.random.pick(&["not E", "E is defined and not E", "E == false"]).replace('E', e)
            }
            Value::Number(number) => {
                let n = number.as_i64().unwrap();
                let (below, above) = (n - 1, n + 1);
                let forms = [
                    format!("{e} == {n}"),
                    format!("{n} == {e}"),
                    format!("{e} is eq({n})"),
                    format!("{e} is defined and {e} > {below}"),
                    format!("{e} is defined and {e} < {above}"),
                    format!("{e} is defined and {e} >= {n}"),
                    format!("{e} is defined and {n} <= {e}"),
                    format!("{e} in [{n}, {}]", n + 40),
                    format!("{e} != {above}"),
                    format!("{e} is defined and {e} % 7 == {}", n % 7),
                    format!("{e} is defined and {e} * 2 == {}", n * 2),
                    format!("{e} is defined and {e} + 3 > {}", n + 2),
                    format!("{e} | default({}) == {n}", n + 9),
                ];
                self.random.pick(&forms)
            }
            Value::String(text) => {
                let length = text.chars().count();
                let other =
                    place.others.first().cloned().unwrap_or_else(|| "something else".into());
                let start: String = text.chars().take(2).collect();
                let forms = [
                    format!("{e} == '{text}'"),
                    format!("'{text}' == {e}"),
                    format!("{e} in ['{text}', 'none']"),
                    format!("{e} != '{other}'"),
                    format!("{e} not in ['{other}', 'nothing']"),
                    format!("{e} is defined and {e} | length == {length}"),
                    format!("{e} is defined and {e} | length > {}", length - 1),
                    format!("{e} is defined and {e} | lower == '{}'", text.to_lowercase()),
                    format!("{e} is defined and {e}.startswith('{start}')"),
                    format!("{e} is defined and '{start}' in {e}"),
                    format!("{e} | default('{other}') == '{text}'"),
                ];
                self.random.pick(&forms)
            }
            Value::Array(items) if items.is_empty() => {
                self.random.pick(&["not E", "E | length == 0", "E | length < 1"]).replace('E', e)
            }
            Value::Array(items) => {
                let n = items.len();
                let forms = [
                    e.clone(),
                    format!("{e} | length == {n}"),
                    format!("{e} | length > {}", n - 1),
                    format!("{e} | length >= {n}"),
                    format!("{e} | count < {}", n + 1),
                ];
                self.random.pick(&forms)
            }
            _ => "true".into(),
        }
    }

    /// A text in which an expression is printed behind conditions.
    fn behind(&mut self, print: &str, places: &[Place], depth: usize) -> String {
        if depth == 0 {
            return print.to_owned();
        }
        let inner = self.behind(print, places, depth - 1);
        let test = self.condition(places);
        match self.random.below(4) {
            0 => format!(
                "{{% if title == 'nothing like it' %}}a{{% elif {test} %}}{inner}{{% else %}}b{{% endif %}}"
            ),
            1 => format!("{{% if not ({test}) %}}c{{% else %}}{inner}{{% endif %}}"),
            2 => format!("{{% set met = {test} %}}{{% if met %}}{inner}{{% endif %}}"),
            _ => format!("d {{% if {test} %}}{inner}{{% endif %}}"),
        }
    }

    /// The places of an item of the witness, by the name of the loop's variable.
    fn item_places(&self, name: &str, item: &Value) -> Vec<Place> {
        let members = item.as_object().unwrap().iter();
        let place = |(key, value): (&String, &Value)| Place {
            expr: format!("{name}.{key}"),
            value: Some(value.clone()),
            others: Vec::new(),
        };
        members.map(place).collect()
    }
}

/// A text with the fault or its sound counterpart, and the name of the fault.
fn planted(world: &mut World, is_faulty: bool) -> (String, &'static str) {
    let either =
        |faulty: &str, sound: &str| if is_faulty { faulty.to_owned() } else { sound.to_owned() };
    let depth = 1 + world.random.below(3);
    let kind = world.random.below(10);
    let outside = world.places.clone();
    let at_top = |world: &mut World, print: String, without: &str| {
        let places: Vec<Place> =
            outside.iter().filter(|place| place.expr != without).cloned().collect();
        world.behind(&print, &places, depth)
    };
    match kind {
        0 => {
            world.properties.insert("note".into(), json!({"type": "string"}));
            let sound = [
                "{{ note | default('none') }}",
                "{{ note if note is defined else '-' }}",
                "{% if note %}{{ note }}{% endif %}",
            ];
            let sound = world.random.pick(&sound);
            (at_top(world, either("{{ note }}", sound), "note"), "absent optional")
        }
        1 => (
            at_top(world, either("{{ address.code }}", "{{ address.code or '-' }}"), ""),
            "absent member",
        ),
        2 => {
            let index = world.random.below(4);
            let length = world.random.below(index + 1);
            let tags: Vec<&str> = (0..length).map(|n| WORDS[n]).collect();
            world.witness.insert("tags".into(), json!(tags));
            let print = format!("{{{{ 'tag ' ~ tags[{index}] }}}}");
            let sound = format!("{{{{ tags[{index}] if tags | length > {index} else '-' }}}}");
            (at_top(world, either(&print, &sound), "tags"), "index outside of the list")
        }
        3 => {
            let at = world.random.below(15);
            world.witness.insert("count".into(), json!(at));
            let print = format!("{{{{ 100 / (count - {at}) }}}}");
            let sound = format!("{{{{ 100 / (count + {}) }}}}", at + 1);
            (at_top(world, either(&print, &sound), "count"), "division by zero")
        }
        4 => {
            world.properties.insert("share".into(), json!({"type": "integer", "minimum": 1}));
            let print =
                either("{{ 7 // (share | default(0)) }}", "{{ 7 // (share | default(1)) }}");
            (at_top(world, print, "share"), "division by a default")
        }
        5 => {
            let states = world.properties["status"]["enum"].as_array().unwrap().clone();
            let lost = world.random.pick(&states);
            world.witness.insert("status".into(), lost.clone());
            let entry = |state: &Value| format!("'{}': '{}'", state.as_str().unwrap(), COLORS[0]);
            let all: Vec<String> = states.iter().map(entry).collect();
            let some: Vec<String> =
                states.iter().filter(|state| **state != lost).map(entry).collect();
            let print =
                |map: &[String]| format!("{{{{ 'is ' ~ {{{}}}[status] }}}}", map.join(", "));
            (at_top(world, either(&print(&some), &print(&all)), "status"), "key that a map lacks")
        }
        6 | 7 => {
            let line = world.witness["lines"][0].clone();
            let mut places = world.item_places("line", &line);
            places.extend(outside.iter().cloned());
            let print = either("{{ line.hint }}", "{{ line.hint | default('-') }}");
            let inner = world.behind(&print, &places, depth);
            (format!("{{% for line in lines %}}{inner};{{% endfor %}}"), "absent member in a loop")
        }
        8 => {
            let line = world.witness["lines"][0].clone();
            let mut places = world.item_places("part", &line["parts"][0]);
            places.extend(world.item_places("line", &line));
            let print = either("{{ part.memo }}", "{{ part.memo or 'none' }}");
            let inner = world.behind(&print, &places, depth);
            let inner = format!("{{% for part in line.parts %}}{inner}{{% endfor %}}");
            (
                format!("{{% for line in lines %}}{inner}{{% endfor %}}"),
                "absent member in a nested loop",
            )
        }
        _ => {
            world.properties.insert("rate".into(), json!({"type": "number"}));
            let print =
                either("{{ (rate * 2) | round(1) }}", "{{ (rate | default(1) * 2) | round(1) }}");
            (at_top(world, print, "rate"), "arithmetic with an absent number")
        }
    }
}

/// A component in which a wrong value follows a condition.
fn planted_prop(world: &mut World, is_faulty: bool) -> (String, &'static str) {
    let places = world.places.clone();
    let good = world.random.pick(&COLORS);
    let color = if is_faulty { "succes" } else { "success" };
    if world.random.once_in(2) {
        let mut allowed = COLORS[..3].to_vec();
        if is_faulty {
            allowed.push("urgent");
        }
        let witness = allowed[allowed.len() - 1];
        world.properties.insert("level".into(), json!({"type": "string", "enum": allowed}));
        world.required.push("level".into());
        world.witness.insert("level".into(), json!(witness));
        let test = world.condition(&places);
        return (format!("{{{{ level if {test} else '{good}' }}}}"), "wrong value of an enum");
    }
    let test = world.condition(&places);
    let print = match world.random.below(2) {
        0 => format!("{{{{ '{color}' if {test} else '{good}' }}}}"),
        _ => format!("{{% if {test} %}}{color}{{% else %}}{good}{{% endif %}}"),
    };
    (print, "wrong constant behind a condition")
}

fn widget(seed: u64, is_faulty: bool) -> Widget {
    let mut world = World {
        random: Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5),
        properties: Map::new(),
        required: Vec::new(),
        witness: Map::new(),
        places: Vec::new(),
    };
    world.fill();
    let as_prop = world.random.once_in(5);
    let (planted, fault) =
        if as_prop { planted_prop(&mut world, is_faulty) } else { planted(&mut world, is_faulty) };
    // Sound parts around it.
    let places = world.places.clone();
    let mut texts: Vec<String> = (0..2 + world.random.below(3))
        .map(|_| {
            let depth = world.random.below(3);
            world.behind("{{ title }} {{ count }}", &places, depth)
        })
        .collect();
    let badge = if as_prop {
        planted
    } else {
        texts.push(planted);
        "info".to_owned()
    };
    let uses = "{{ [title, place, owner, status, phase, count, score, limit, urgent, tags, lines, address] | tojson | length }}";
    texts.push(uses.to_owned());
    let mut children: Vec<Value> =
        texts.iter().map(|text| json!({"type": "Text", "value": text})).collect();
    children.push(json!({"type": "Badge", "label": "b", "color": badge}));
    let tree = json!({"type": "Card", "children": children});
    let schema = json!({"type": "object", "properties": world.properties, "required": world.required,
        "additionalProperties": world.random.once_in(2)});
    let field = if seed.is_multiple_of(2) { json!(tree.to_string()) } else { tree };
    let name = if seed.is_multiple_of(2) { "template" } else { "widget" };
    // JSON is YAML.
    let text = format!(
        "version: \"1.0\"\nname: Planted\ndescription: For a test\n{name}: {field}\njsonSchema: {schema}\n"
    );
    Widget { text, witness: Value::Object(world.witness), fault }
}
