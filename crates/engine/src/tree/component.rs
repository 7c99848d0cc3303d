//! The component table: one row owns everything about a component.
//!
//! The vocabulary is the union of the two ChatKit references (Python and TypeScript), 30 types.
//! The enum of their names, the checker, the text form, the editor schema and `docs/components.md`
//! all come from here.

use super::names::names;

/// One component type.
#[derive(Debug)]
pub struct Component {
    /// The type.
    pub kind: ComponentType,
    /// The value of `type`.
    pub name: &'static str,
    /// Whether it can be the root.
    pub root: bool,
    /// The components allowed in `children`.
    pub children: Children,
    /// Whether `children` must be present, if only as an empty list.
    pub needs_children: bool,
    /// Its own props, in groups that several components share.
    pub props: &'static [&'static [Prop]],
    /// Its role in an outline.
    pub fold: Fold,
}

/// One prop of a component or of a nested object.
#[derive(Debug)]
pub struct Prop {
    /// The key.
    pub name: &'static str,
    /// The type of its value.
    pub want: Want,
    /// Whether it is required.
    pub required: bool,
}

/// The type of a prop's value.
#[derive(Debug, Clone, Copy)]
pub enum Want {
    /// Any JSON.
    Any,
    /// A boolean.
    Bool,
    /// A number.
    Number,
    /// A string; a number is taken as its text.
    Str,
    /// One of these strings.
    Choice(&'static [&'static str]),
    /// An icon name, or one with a `vendor:` or `lucide:` prefix.
    Icon,
    /// A token, a palette colour, any CSS colour, or `{light, dark}`.
    Color,
    /// A number, or a CSS length.
    Length,
    /// A number, or what CSS takes there, such as `16 / 9`.
    Css,
    /// An object with any members. Hosts pass on any other JSON too, but forms add their fields to it.
    Object,
    /// An object of this shape.
    Shape(&'static Shape),
    /// A list of these.
    List(&'static Want),
    /// Any one of these.
    Either(&'static [Want]),
}

/// A nested object.
#[derive(Debug)]
pub struct Shape {
    /// Its name in messages.
    pub name: &'static str,
    /// An example.
    pub example: &'static str,
    /// Its members.
    pub props: &'static [Prop],
}

/// The components allowed in a component's `children`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Children {
    /// Nothing: a leaf.
    None,
    /// Any number of components; roots only if `roots` is set.
    Many {
        /// Whether roots may be nested here without a warning.
        roots: bool,
    },
    /// Exactly one component, or null.
    One,
    /// Only components of this type, which in turn stand nowhere else.
    Only(ComponentType),
}

/// The role of a component in an outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    /// Its children, each on lines of their own.
    Block,
    /// Its children side by side on one line.
    Inline,
    /// A list entry.
    Item,
    /// The prop, as a heading.
    Heading(&'static str),
    /// The prop, as running text.
    Text(&'static str),
    /// The prop, in brackets: `[Label]`.
    Bracket(&'static str),
    /// A form field: what is asked for, and the value it starts with.
    Field,
    /// The alternative text.
    Image,
    /// A rule between two parts.
    Rule,
    /// A small table of the data.
    Chart,
    /// Rows and cells.
    Table,
    /// Nothing.
    Nothing,
}

impl Component {
    /// The row of a type.
    pub fn find(name: &str) -> Option<&'static Component> {
        ComponentType::of(name).component()
    }

    /// The row of a type that is written in other letters, such as `text`.
    pub(crate) fn find_like(name: &str) -> Option<&'static Component> {
        COMPONENTS.iter().find(|component| component.name.eq_ignore_ascii_case(name))
    }

    /// The prop of that name, `children` excepted.
    pub fn prop(&self, name: &str) -> Option<&'static Prop> {
        self.props
            .iter()
            .copied()
            .chain([BASE])
            .find_map(|group| group.iter().find(|p| p.name == name))
    }

    /// The prop of that name, and its bit among the required ones: 0 if it is optional.
    pub(crate) fn prop_bit(&self, name: &str) -> Option<(&'static Prop, u32)> {
        let mut bit = 1;
        for group in self.props.iter().copied().chain([BASE]) {
            if let Some(found) = find_bit(group, name, &mut bit) {
                return Some(found);
            }
        }
        None
    }

    /// The bits of all required props.
    pub(crate) fn required_bits(&self) -> u32 {
        REQUIRED[self.kind as usize]
    }

    /// All props, `children` excepted.
    pub fn all_props(&self) -> impl Iterator<Item = &'static Prop> {
        #[cfg(test)]
        PROP_WALKS.set(PROP_WALKS.get() + 1);
        self.props.iter().copied().chain([BASE]).flatten()
    }

    /// Whether it is a field whose value a form submits.
    pub fn is_field(&self) -> bool {
        self.fold == Fold::Field
    }

    /// The only component that may hold it, for those that may stand nowhere else.
    pub(crate) fn only_in(&self) -> Option<&'static str> {
        ONLY_IN[self.kind as usize]
    }
}

#[cfg(test)]
thread_local! {
    /// How often this thread has walked all props of a component.
    pub(crate) static PROP_WALKS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The prop of that name in a list, and its bit; `bit` is that of the next required one.
pub(crate) fn find_bit(
    props: &'static [Prop],
    name: &str,
    bit: &mut u32,
) -> Option<(&'static Prop, u32)> {
    for prop in props {
        if prop.name == name {
            return Some((prop, if prop.required { *bit } else { 0 }));
        }
        *bit <<= u32::from(prop.required);
    }
    None
}

/// The bits of all required props of a list: as many ones as there are.
pub(crate) const fn required_bits(props: &[Prop]) -> u32 {
    let (mut bits, mut at) = (0, 0);
    while at < props.len() {
        if props[at].required {
            bits = bits << 1 | 1;
        }
        at += 1;
    }
    bits
}

/// By component type, the bits of its required props. Every component of a tree is compared with them.
static REQUIRED: [u32; COMPONENTS.len()] = {
    let (mut required, mut at) = ([0; COMPONENTS.len()], 0);
    while at < COMPONENTS.len() {
        let mut group = 0;
        while group < COMPONENTS[at].props.len() {
            let bits = required_bits(COMPONENTS[at].props[group]);
            required[at] = required[at] << bits.count_ones() | bits;
            group += 1;
        }
        at += 1;
    }
    required
};

/// By component type, the only component that may hold it.
static ONLY_IN: [Option<&str>; COMPONENTS.len()] = {
    let (mut only_in, mut at) = ([None; COMPONENTS.len()], 0);
    while at < COMPONENTS.len() {
        if let Children::Only(child) = COMPONENTS[at].children {
            only_in[child as usize] = Some(COMPONENTS[at].name);
        }
        at += 1;
    }
    only_in
};

impl ComponentType {
    /// Its row; none for a name that is not in the table.
    #[inline]
    pub(crate) fn component(self) -> Option<&'static Component> {
        COMPONENTS.get(self as usize)
    }
}

impl std::fmt::Display for ComponentType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.component().map_or("another component", |component| component.name))
    }
}

const fn opt(name: &'static str, want: Want) -> Prop {
    Prop { name, want, required: false }
}

const fn req(name: &'static str, want: Want) -> Prop {
    Prop { name, want, required: true }
}

use Want::{Any, Bool, Choice, Color, Either, Length, List, Number, Str};

const THEME: Want = Choice(&["light", "dark"]);
const DIRECTION: Want = Choice(&["row", "col"]);
const SIDES: Want = Choice(&["start", "center", "end"]);
const ALIGN: Want = Choice(&["start", "center", "end", "baseline", "stretch"]);
const JUSTIFY: Want = Choice(&["start", "center", "end", "between", "around", "evenly", "stretch"]);
const RADIUS: Want =
    Choice(&["2xs", "xs", "sm", "md", "lg", "xl", "2xl", "3xl", "4xl", "full", "100%", "none"]);
const WEIGHT: Want = Choice(&["normal", "medium", "semibold", "bold"]);
const TEXT_SIZE: Want = Choice(&["xs", "sm", "md", "lg", "xl"]);
const VARIANT: Want = Choice(&["solid", "soft", "outline", "ghost"]);
const FIELD_VARIANT: Want = Choice(&["soft", "outline"]);
const CONTROL_SIZE: Want = Choice(&["3xs", "2xs", "xs", "sm", "md", "lg", "xl", "2xl", "3xl"]);
const GUTTER: Want = Choice(&["2xs", "xs", "sm", "md", "lg", "xl"]);
const CURVE: Want = Choice(&[
    "basis",
    "basisClosed",
    "basisOpen",
    "bumpX",
    "bumpY",
    "bump",
    "linear",
    "linearClosed",
    "natural",
    "monotoneX",
    "monotoneY",
    "monotone",
    "step",
    "stepBefore",
    "stepAfter",
]);

const ACTION: Want = Want::Shape(&Shape {
    name: "an action",
    example: r#"{ "type": "add.todo", "payload": { "id": 1 } }"#,
    props: &[
        req("type", Str),
        opt("payload", Want::Object),
        opt("handler", Choice(&["client", "server"])),
        opt("loadingBehavior", Choice(&["auto", "none", "self", "container"])),
        opt("streaming", Bool),
    ],
});
const CARD_ACTION: Want = Want::Shape(&Shape {
    name: "a card action",
    example: r#"{ "label": "Save", "action": { "type": "save" } }"#,
    props: &[req("label", Str), req("action", ACTION)],
});
const STATUS: Want = Want::Shape(&Shape {
    name: "a status",
    example: r#"{ "text": "Up to date", "icon": "check" }"#,
    props: &[req("text", Str), opt("favicon", Str), opt("frame", Bool), opt("icon", Want::Icon)],
});
/// A colour for each theme, for a prop that also accepts a single colour.
pub static THEMED_COLOR: Shape = Shape {
    name: "a themed colour",
    example: r##"{ "light": "#1a73e8", "dark": "#8ab4f8" }"##,
    props: &[req("light", Str), req("dark", Str)],
};
const SPACING: Want = Either(&[
    Length,
    Want::Shape(&Shape {
        name: "a spacing",
        example: r#"{ "x": 4, "y": 2 }"#,
        props: &[
            opt("top", Length),
            opt("right", Length),
            opt("bottom", Length),
            opt("left", Length),
            opt("x", Length),
            opt("y", Length),
        ],
    }),
]);
const EDGE: Want = Either(&[
    Number,
    Want::Shape(&Shape {
        name: "a border",
        example: r#"{ "size": 1, "color": "subtle" }"#,
        props: &[req("size", Number), opt("color", Color), opt("style", BORDER_STYLE)],
    }),
]);
const BORDER_STYLE: Want =
    Choice(&["solid", "dashed", "dotted", "double", "groove", "ridge", "inset", "outset"]);
// One border or one for each edge: the two shapes share no key, so one shape with both serves.
const BORDER: Want = Either(&[
    Number,
    Want::Shape(&Shape {
        name: "a border",
        example: r#"{ "size": 1, "color": "subtle" }"#,
        props: &[
            opt("size", Number),
            opt("color", Color),
            opt("style", BORDER_STYLE),
            opt("top", EDGE),
            opt("right", EDGE),
            opt("bottom", EDGE),
            opt("left", EDGE),
            opt("x", EDGE),
            opt("y", EDGE),
        ],
    }),
]);

const BASE: &[Prop] = &[opt("key", Str), opt("id", Str)];
const SIZE: &[Prop] = &[
    opt("height", Length),
    opt("width", Length),
    opt("size", Length),
    opt("minHeight", Length),
    opt("minWidth", Length),
    opt("minSize", Length),
    opt("maxHeight", Length),
    opt("maxWidth", Length),
    opt("maxSize", Length),
    opt("aspectRatio", Want::Css),
];
const BLOCK: &[Prop] = &[opt("radius", RADIUS), opt("margin", SPACING)];
const BOX: &[Prop] = &[
    opt("align", ALIGN),
    opt("justify", JUSTIFY),
    opt("wrap", Choice(&["nowrap", "wrap", "wrap-reverse"])),
    opt("flex", Want::Css),
    opt("gap", Length),
    opt("padding", SPACING),
    opt("border", BORDER),
    opt("background", Color),
];
const WORDS: &[Prop] =
    &[req("value", Str), opt("color", Color), opt("weight", WEIGHT), opt("textAlign", SIDES)];
const CLIPPED: &[Prop] = &[opt("truncate", Bool), opt("maxLines", Number)];
const ENTRY: &[Prop] = &[
    req("name", Str),
    opt("defaultValue", Str),
    opt("required", Bool),
    opt("pattern", Str),
    opt("placeholder", Str),
    opt("allowAutofillExtensions", Bool),
    opt("autoSelect", Bool),
    opt("autoFocus", Bool),
    opt("disabled", Bool),
    opt("variant", FIELD_VARIANT),
    opt("size", CONTROL_SIZE),
    opt("gutterSize", GUTTER),
];
const PICKER: &[Prop] = &[
    req("name", Str),
    opt("onChangeAction", ACTION),
    opt("placeholder", Str),
    opt("defaultValue", Str),
    opt("variant", VARIANT),
    opt("size", CONTROL_SIZE),
    opt("pill", Bool),
    opt("block", Bool),
    opt("clearable", Bool),
    opt("disabled", Bool),
];

/// The names of ChatKit's icons; `vendor:` and `lucide:` names are not checked.
pub const ICONS: &[&str] = &[
    "agent",
    "analytics",
    "atom",
    "batch",
    "bolt",
    "book-clock",
    "book-closed",
    "book-open",
    "bug",
    "calendar",
    "chart",
    "check",
    "check-circle",
    "check-circle-filled",
    "chevron-left",
    "chevron-right",
    "circle-question",
    "clock",
    "compass",
    "confetti",
    "cube",
    "desktop",
    "document",
    "dot",
    "dots-horizontal",
    "dots-vertical",
    "empty-circle",
    "external-link",
    "globe",
    "images",
    "info",
    "keys",
    "lab",
    "lifesaver",
    "lightbulb",
    "mail",
    "map-pin",
    "maps",
    "mobile",
    "name",
    "notebook",
    "notebook-pencil",
    "page-blank",
    "phone",
    "play",
    "plus",
    "profile",
    "profile-card",
    "reload",
    "search",
    "settings-slider",
    "sparkle",
    "sparkle-double",
    "square-code",
    "square-image",
    "square-text",
    "star",
    "star-filled",
    "suitcase",
    "user",
    "wreath",
    "write",
    "write-alt",
    "write-alt2",
];

const MANY: Children = Children::Many { roots: false };

/// Makes the table, and the enum of the component types in the order of its rows.
macro_rules! components {
    ($($variant:ident = Component { name: $name:literal, $($rest:tt)* },)*) => {
        names! {
            /// A component type. As a number it is the index of its row.
            pub enum ComponentType { $($variant = $name,)* }
        }

        /// Every component type.
        pub const COMPONENTS: &[Component] = &[$(
            Component { kind: ComponentType::$variant, name: $name, $($rest)* },
        )*];
    };
}

components![
    Text = Component {
        name: "Text",
        root: false,
        children: Children::None,
        needs_children: false,
        fold: Fold::Text("value"),
        props: &[
            WORDS,
            CLIPPED,
            &[
                opt("streaming", Bool),
                opt("italic", Bool),
                opt("lineThrough", Bool),
                opt("width", Length),
                opt("size", TEXT_SIZE),
                opt("minLines", Number),
                opt(
                    "editable",
                    Either(&[
                        Bool,
                        Want::Shape(&Shape {
                            name: "an editable text",
                            example: r#"{ "name": "title", "placeholder": "Title" }"#,
                            props: &[
                                req("name", Str),
                                opt("autoFocus", Bool),
                                opt("autoSelect", Bool),
                                opt("autoComplete", Str),
                                opt("allowAutofillExtensions", Bool),
                                opt("pattern", Str),
                                opt("placeholder", Str),
                                opt("required", Bool),
                            ],
                        }),
                    ]),
                ),
            ],
        ],
    },
    Row = Component {
        name: "Row",
        root: false,
        children: MANY,
        needs_children: false,
        fold: Fold::Inline,
        props: &[BOX, SIZE, BLOCK],
    },
    Col = Component {
        name: "Col",
        root: false,
        children: MANY,
        needs_children: false,
        fold: Fold::Block,
        props: &[BOX, SIZE, BLOCK],
    },
    Box = Component {
        name: "Box",
        root: false,
        children: MANY,
        needs_children: false,
        fold: Fold::Block,
        props: &[BOX, SIZE, BLOCK, &[opt("direction", DIRECTION)]],
    },
    Spacer = Component {
        name: "Spacer",
        root: false,
        children: Children::None,
        needs_children: false,
        fold: Fold::Nothing,
        props: &[&[opt("minSize", Length)]],
    },
    Image = Component {
        name: "Image",
        root: false,
        children: Children::None,
        needs_children: false,
        fold: Fold::Image,
        props: &[
            SIZE,
            BLOCK,
            &[
                req("src", Str),
                opt("alt", Str),
                opt("fit", Choice(&["cover", "contain", "fill", "scale-down", "none"])),
                opt(
                    "position",
                    Choice(&[
                        "top left",
                        "top",
                        "top right",
                        "left",
                        "center",
                        "right",
                        "bottom left",
                        "bottom",
                        "bottom right",
                    ]),
                ),
                opt("frame", Bool),
                opt("flush", Bool),
                opt("background", Color),
                opt("flex", Want::Css),
            ],
        ],
    },
    Button = Component {
        name: "Button",
        root: false,
        children: Children::None,
        needs_children: false,
        fold: Fold::Bracket("label"),
        props: &[&[
            opt("submit", Bool),
            opt("label", Str),
            opt("onClickAction", ACTION),
            opt("iconStart", Want::Icon),
            opt("iconEnd", Want::Icon),
            opt("style", Choice(&["primary", "secondary"])),
            opt("iconSize", Choice(&["sm", "md", "lg", "xl", "2xl"])),
            opt(
                "color",
                Choice(&[
                    "primary",
                    "secondary",
                    "info",
                    "discovery",
                    "success",
                    "caution",
                    "warning",
                    "danger",
                ]),
            ),
            opt("variant", VARIANT),
            opt("size", CONTROL_SIZE),
            opt("pill", Bool),
            opt("uniform", Bool),
            opt("block", Bool),
            opt("disabled", Bool),
        ]],
    },
    Title = Component {
        name: "Title",
        root: false,
        children: Children::None,
        needs_children: false,
        fold: Fold::Heading("value"),
        props: &[
            WORDS,
            CLIPPED,
            &[opt("size", Choice(&["sm", "md", "lg", "xl", "2xl", "3xl", "4xl", "5xl"]))],
        ],
    },
    Caption = Component {
        name: "Caption",
        root: false,
        children: Children::None,
        needs_children: false,
        fold: Fold::Text("value"),
        props: &[WORDS, CLIPPED, &[opt("size", Choice(&["sm", "md", "lg"]))]],
    },
    Badge = Component {
        name: "Badge",
        root: false,
        children: Children::None,
        needs_children: false,
        fold: Fold::Bracket("label"),
        props: &[&[
            req("label", Str),
            opt(
                "color",
                Choice(&["secondary", "success", "danger", "warning", "info", "discovery"]),
            ),
            opt("variant", Choice(&["solid", "soft", "outline"])),
            opt("size", Choice(&["sm", "md", "lg"])),
            opt("pill", Bool),
        ]],
    },
    Icon = Component {
        name: "Icon",
        root: false,
        children: Children::None,
        needs_children: false,
        fold: Fold::Nothing,
        props: &[&[
            req("name", Want::Icon),
            opt("color", Color),
            opt("size", Choice(&["xs", "sm", "md", "lg", "xl", "2xl", "3xl"])),
        ]],
    },
    Divider = Component {
        name: "Divider",
        root: false,
        children: Children::None,
        needs_children: false,
        fold: Fold::Rule,
        props: &[&[
            opt("color", Color),
            opt("size", Length),
            opt("spacing", Length),
            opt("flush", Bool),
        ]],
    },
    ListViewItem = Component {
        name: "ListViewItem",
        root: false,
        children: MANY,
        needs_children: true,
        fold: Fold::Item,
        props: &[&[opt("onClickAction", ACTION), opt("gap", Length), opt("align", ALIGN)]],
    },
    Markdown = Component {
        name: "Markdown",
        root: false,
        children: Children::None,
        needs_children: false,
        fold: Fold::Text("value"),
        props: &[&[req("value", Str), opt("streaming", Bool)]],
    },
    Label = Component {
        name: "Label",
        root: false,
        children: Children::None,
        needs_children: false,
        fold: Fold::Text("value"),
        props: &[WORDS, &[req("fieldName", Str), opt("size", TEXT_SIZE)]],
    },
    Form = Component {
        name: "Form",
        root: false,
        children: MANY,
        needs_children: false,
        fold: Fold::Block,
        props: &[BOX, SIZE, BLOCK, &[opt("onSubmitAction", ACTION), opt("direction", DIRECTION)]],
    },
    Input = Component {
        name: "Input",
        root: false,
        children: Children::None,
        needs_children: false,
        fold: Fold::Field,
        props: &[
            ENTRY,
            &[
                opt("inputType", Choice(&["number", "email", "text", "password", "tel", "url"])),
                opt("pill", Bool),
            ],
        ],
    },
    Textarea = Component {
        name: "Textarea",
        root: false,
        children: Children::None,
        needs_children: false,
        fold: Fold::Field,
        props: &[ENTRY, &[opt("rows", Number), opt("autoResize", Bool), opt("maxRows", Number)]],
    },
    Select = Component {
        name: "Select",
        root: false,
        children: Children::None,
        needs_children: false,
        fold: Fold::Field,
        props: &[
            PICKER,
            &[
                req(
                    "options",
                    List(&Want::Shape(&Shape {
                        name: "an option",
                        example: r#"{ "value": "s", "label": "Small" }"#,
                        props: &[
                            req("value", Str),
                            req("label", Str),
                            opt("disabled", Bool),
                            opt("description", Str),
                        ],
                    })),
                ),
                opt("searchable", Bool),
            ],
        ],
    },
    DatePicker = Component {
        name: "DatePicker",
        root: false,
        children: Children::None,
        needs_children: false,
        fold: Fold::Field,
        props: &[
            PICKER,
            &[
                opt("min", Str),
                opt("max", Str),
                opt("side", Choice(&["top", "bottom", "left", "right"])),
                opt("align", SIDES),
            ],
        ],
    },
    Checkbox = Component {
        name: "Checkbox",
        root: false,
        children: Children::None,
        needs_children: false,
        fold: Fold::Field,
        props: &[&[
            req("name", Str),
            opt("label", Str),
            opt("defaultChecked", Bool),
            opt("onChangeAction", ACTION),
            opt("disabled", Bool),
            opt("required", Bool),
        ]],
    },
    RadioGroup = Component {
        name: "RadioGroup",
        root: false,
        children: Children::None,
        needs_children: false,
        fold: Fold::Field,
        props: &[&[
            req("name", Str),
            opt(
                "options",
                List(&Want::Shape(&Shape {
                    name: "an option",
                    example: r#"{ "value": "s", "label": "Small" }"#,
                    props: &[req("label", Str), req("value", Str), opt("disabled", Bool)],
                })),
            ),
            opt("ariaLabel", Str),
            opt("onChangeAction", ACTION),
            opt("defaultValue", Str),
            opt("direction", DIRECTION),
            opt("disabled", Bool),
            opt("required", Bool),
        ]],
    },
    Transition = Component {
        name: "Transition",
        root: false,
        children: Children::One,
        needs_children: true,
        fold: Fold::Block,
        props: &[],
    },
    Chart = Component {
        name: "Chart",
        root: false,
        children: Children::None,
        needs_children: false,
        fold: Fold::Chart,
        props: &[
            SIZE,
            &[
                req("data", List(&Any)),
                req(
                    "series",
                    List(&Want::Shape(&Shape {
                        name: "a series",
                        example: r#"{ "type": "bar", "dataKey": "sales", "label": "Sales" }"#,
                        props: &[
                            req("type", Choice(&["bar", "area", "line"])),
                            req("dataKey", Str),
                            opt("label", Str),
                            opt("color", Color),
                            opt("stack", Str),
                            opt("curveType", CURVE),
                        ],
                    })),
                ),
                req(
                    "xAxis",
                    Either(&[
                        Str,
                        Want::Shape(&Shape {
                            name: "an axis",
                            example: r#"{ "dataKey": "month" }"#,
                            props: &[req("dataKey", Str), opt("hide", Bool), opt("labels", Any)],
                        }),
                    ]),
                ),
                opt("showYAxis", Bool),
                opt("showLegend", Bool),
                opt("showTooltip", Bool),
                opt("barGap", Number),
                opt("barCategoryGap", Number),
                opt("flex", Want::Css),
            ],
        ],
    },
    Table = Component {
        name: "Table",
        root: false,
        children: Children::Only(ComponentType::TableRow),
        needs_children: false,
        fold: Fold::Table,
        props: &[],
    },
    TableRow = Component {
        name: "Table.Row",
        root: false,
        children: Children::Only(ComponentType::TableCell),
        needs_children: false,
        fold: Fold::Inline,
        props: &[&[opt("header", Bool)]],
    },
    TableCell = Component {
        name: "Table.Cell",
        root: false,
        children: MANY,
        needs_children: false,
        fold: Fold::Block,
        props: &[&[
            opt("width", Length),
            opt("padding", SPACING),
            opt("colSpan", Number),
            opt("rowSpan", Number),
            opt("align", SIDES),
            opt("vAlign", SIDES),
            opt("colSize", TEXT_SIZE),
        ]],
    },
    Card = Component {
        name: "Card",
        root: true,
        children: MANY,
        needs_children: true,
        fold: Fold::Block,
        props: &[&[
            opt("asForm", Bool),
            opt("background", Color),
            opt("border", BORDER),
            opt("size", Choice(&["sm", "md", "lg", "full"])),
            opt("padding", SPACING),
            opt("status", STATUS),
            opt("collapsed", Bool),
            opt("confirm", CARD_ACTION),
            opt("cancel", CARD_ACTION),
            opt("theme", THEME),
        ]],
    },
    ListView = Component {
        name: "ListView",
        root: true,
        children: Children::Only(ComponentType::ListViewItem),
        needs_children: true,
        fold: Fold::Block,
        props: &[&[
            opt("limit", Either(&[Number, Choice(&["auto"])])),
            opt("status", STATUS),
            opt("theme", THEME),
        ]],
    },
    Basic = Component {
        name: "Basic",
        root: true,
        children: Children::Many { roots: true },
        needs_children: true,
        fold: Fold::Block,
        props: &[BOX, SIZE, BLOCK, &[opt("theme", THEME), opt("direction", DIRECTION)]],
    },
];

/// Whether the prop wants a text and nothing else.
pub(crate) fn is_text_prop(component: &str, prop: &str) -> bool {
    Component::find(component)
        .and_then(|component| component.prop(prop))
        .is_some_and(|prop| matches!(prop.want, Want::Str))
}

/// Whether the component takes no children.
pub(crate) fn is_leaf(component: &str) -> bool {
    Component::find(component).is_some_and(|component| component.children == Children::None)
}
