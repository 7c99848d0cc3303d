//! Trees at random: all components, in every order and nesting that the checker accepts.

use serde_json::{Map, Value, json};

/// A source of numbers that gives the same ones for the same seed.
pub(super) struct Random(u64);

const TEXTS: &[&str] = &[
    "Total",
    "42",
    "Überfällig",
    "checkout-api",
    "1.850,00 €",
    "سعر الليلة",
    "京都駅前",
    "a < b & c > d",
    "*not bold*",
    "Lane 7",
    "two\nlines",
    "x",
    "Rechtsschutzversicherungsgesellschaften",
    "[brackets](no)",
    "| bar |",
    "# no heading",
    "- no list",
    "`code`",
    "19:30",
    "What is it?",
    "{braces}",
    "\"quoted\"",
    "10 %",
    "☃ snow",
    "12 apples and a pear",
];
const COLORS: &[&str] =
    &["success", "danger", "secondary", "blue-500", "#eeeeee", "warning", "alpha-10", "#d00"];
const ICONS: &[&str] =
    &["check", "lucide:circle-x", "bolt", "lucide:unheard-of", "calendar", "star-filled"];

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % most
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    fn text(&mut self) -> String {
        let mut text = self.of(TEXTS).to_owned();
        if self.chance(20) {
            text.push(' ');
            text.push_str(self.of(TEXTS));
        }
        text
    }

    /// A whole tree.
    pub(super) fn root(&mut self) -> Value {
        match self.below(10) {
            0 => {
                let items: Vec<Value> = (0..1 + self.below(5)).map(|_| self.item()).collect();
                json!({"type": "ListView", "children": items})
            }
            1 => json!({"type": "Basic", "children": self.children(3)}),
            _ => {
                let mut card = json!({"type": "Card", "children": self.children(4)});
                if self.chance(10) {
                    card["status"] = json!({"text": self.text(), "icon": self.of(ICONS)});
                }
                if self.chance(15) {
                    card["confirm"] = json!({"label": self.text(), "action": {"type": "go", "payload": {"id": 1}}});
                    card["asForm"] = json!(self.chance(50));
                }
                if self.chance(10) {
                    card["cancel"] = json!({"label": self.text(), "action": {"type": "stop"}});
                }
                card
            }
        }
    }

    fn children(&mut self, depth: usize) -> Vec<Value> {
        let count = self.below(6);
        // Siblings of one kind, as a loop in a template writes them.
        if depth > 0 && self.chance(25) {
            let seed = self.0;
            return (0..2 + self.below(3))
                .map(|n| Random(seed.wrapping_add(n as u64 & 1)).container(depth - 1))
                .collect();
        }
        (0..count).map(|_| self.component(depth)).collect()
    }

    fn item(&mut self) -> Value {
        let mut item = json!({"type": "ListViewItem", "children": self.children(2)});
        if self.chance(30) {
            item["onClickAction"] = self.action();
        }
        item
    }

    fn action(&mut self) -> Value {
        match self.below(3) {
            0 => json!({"type": "open_url", "payload": {"url": "https://a.example/b"}}),
            1 => json!({"type": "pay", "payload": {"id": 7, "note": "n"}}),
            _ => json!({"type": "go"}),
        }
    }

    fn component(&mut self, depth: usize) -> Value {
        if depth > 0 && self.chance(45) { self.container(depth - 1) } else { self.leaf() }
    }

    fn container(&mut self, depth: usize) -> Value {
        let kind = self.of(&["Row", "Row", "Col", "Col", "Box", "Form", "Transition"]);
        if kind == "Transition" {
            return json!({"type": kind, "children": self.leaf()});
        }
        let mut node = json!({"type": kind, "children": self.children(depth)});
        if kind == "Box" && self.chance(40) {
            node["direction"] = json!("row");
        }
        if kind == "Form" {
            node["onSubmitAction"] = self.action();
        }
        for (key, percent) in
            [("background", 20), ("border", 10), ("width", 15), ("flex", 10), ("justify", 10)]
        {
            if self.chance(percent) {
                node[key] = match key {
                    "background" => json!(self.of(COLORS)),
                    "border" => json!(1),
                    "width" => json!(self.of(&["30%", "75%", "120px"])),
                    "flex" => json!(1),
                    _ => json!("between"),
                };
            }
        }
        node
    }

    fn words(&mut self, kind: &str) -> Value {
        let mut node = json!({"type": kind, "value": self.text()});
        if self.chance(20) {
            node["color"] = json!(self.of(COLORS));
        }
        if self.chance(20) {
            node["weight"] = json!(self.of(&["bold", "semibold", "normal"]));
        }
        if kind == "Text" {
            for (key, value) in [
                ("lineThrough", json!(true)),
                ("italic", json!(true)),
                ("size", json!("lg")),
                ("width", json!(80)),
            ] {
                if self.chance(8) {
                    node[key] = value;
                }
            }
            if self.chance(5) {
                node["editable"] = json!({"name": "edited", "placeholder": self.text()});
            }
        }
        node
    }

    fn field(&mut self) -> Value {
        let number = self.below(4);
        let mut node = Map::new();
        let kind =
            self.of(&["Input", "Textarea", "Select", "DatePicker", "Checkbox", "RadioGroup"]);
        node.insert("type".into(), json!(kind));
        node.insert("name".into(), json!(format!("field{number}")));
        match kind {
            "Checkbox" => {
                node.insert("label".into(), json!(self.text()));
                node.insert("defaultChecked".into(), json!(self.chance(50)));
            }
            "Select" | "RadioGroup" => {
                let options: Vec<Value> = (0..1 + self.below(4))
                    .map(|n| json!({"value": format!("v{n}"), "label": self.text(), "disabled": self.chance(10)}))
                    .collect();
                node.insert("options".into(), json!(options));
                if self.chance(40) {
                    node.insert("defaultValue".into(), json!("v0"));
                }
            }
            "DatePicker" => {
                if self.chance(50) {
                    node.insert("defaultValue".into(), json!("2026-03-14"));
                }
            }
            _ => {
                if self.chance(40) {
                    node.insert("defaultValue".into(), json!(self.text()));
                } else if self.chance(50) {
                    node.insert("placeholder".into(), json!(self.text()));
                }
                if self.chance(10) {
                    node.insert("pattern".into(), json!("[A-Z]+"));
                }
                node.insert("required".into(), json!(self.chance(40)));
            }
        }
        if self.chance(10) {
            node.insert("disabled".into(), json!(true));
        }
        Value::Object(node)
    }

    fn leaf(&mut self) -> Value {
        match self.below(20) {
            0..=4 => self.words("Text"),
            5 | 6 => self.words("Caption"),
            7 => self.words("Title"),
            8 => {
                json!({"type": "Badge", "label": self.text(), "color": self.of(&["success", "danger", "secondary"])})
            }
            9 => json!({"type": "Icon", "name": self.of(ICONS)}),
            10 => json!({"type": "Divider"}),
            11 => json!({"type": "Spacer"}),
            12 => {
                let mut button =
                    json!({"type": "Button", "label": self.text(), "onClickAction": self.action()});
                if self.chance(20) {
                    button["disabled"] = json!(true);
                }
                if self.chance(10) {
                    button = json!({"type": "Button", "iconStart": self.of(ICONS), "onClickAction": self.action()});
                }
                button
            }
            13 => {
                let src = self.of(&[
                    "https://a.example/b.png",
                    "data:image/png;base64,AAAA",
                    "/local.svg",
                ]);
                json!({"type": "Image", "src": src, "alt": self.text(), "size": 40})
            }
            14 => {
                json!({"type": "Box", "width": self.of(&["40%", "8px"]), "height": 8, "background": self.of(COLORS)})
            }
            15 => {
                json!({"type": "Markdown", "value": format!("**{}** and _more_\n\n- one\n- two", self.of(&["bold", "strong"]))})
            }
            16 => self.table(),
            17 => {
                let field = self.below(4);
                json!({"type": "Label", "fieldName": format!("field{field}"), "value": self.text()})
            }
            18 if self.chance(30) => {
                json!({"type": "Chart", "xAxis": "day", "series": [{"type": "bar", "dataKey": "n", "label": self.text()}],
                    "data": [{"day": self.text(), "n": 3}, {"day": self.text(), "n": 4.5}]})
            }
            _ => self.field(),
        }
    }

    fn table(&mut self) -> Value {
        let columns = 1 + self.below(4);
        let rows: Vec<Value> = (0..self.below(5))
            .map(|row| {
                let cells: Vec<Value> = (0..columns)
                    .map(|_| {
                        let kind = self.of(&["Text", "Caption"]);
                        let child = if self.chance(85) { self.words(kind) } else { self.leaf() };
                        json!({"type": "Table.Cell", "children": [child], "align": self.of(&["start", "end"])})
                    })
                    .collect();
                json!({"type": "Table.Row", "header": row == 0 && self.chance(70), "children": cells})
            })
            .collect();
        json!({"type": "Table", "children": rows})
    }
}
