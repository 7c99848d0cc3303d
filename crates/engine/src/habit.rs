//! What users write by habit from HTML, React, CSS, JavaScript and Python, and what to write here.
//!
//! One table for each kind of word. A misspelt word is the business of [`crate::suggest`], which is
//! asked where no table has an answer.

use crate::suggest::did_you_mean;

/// Props by other names: the components, the names, and the intended prop.
pub(crate) const RENAMED_PROPS: &[(&str, &str, &str)] = &[
    (TEXTS, "text content body label title children string", "value"),
    ("Button Badge", "text title value content caption children", "label"),
    ("Checkbox", "text title content", "label"),
    ("Checkbox", "checked value defaultValue selected", "defaultChecked"),
    ("Button ListViewItem", "onClick onclick on_click onPress onTap action", "onClickAction"),
    (CHOICES, "onChange onchange on_change onSelect action", "onChangeAction"),
    ("Form", "onSubmit onsubmit on_submit action", "onSubmitAction"),
    ("Label", "htmlFor for field name", "fieldName"),
    ("Row Col Box Form Basic ListViewItem", "spacing space gutter", "gap"),
    (BOXES, "justifyContent justify-content", "justify"),
    (BOXES, "alignItems align-items", "align"),
    (BOXES, "flexWrap flex-wrap", "wrap"),
    ("Box Form Basic", "flexDirection flex-direction", "direction"),
    (BOXES, "backgroundColor background-color bg bgColor color", "background"),
    ("Card", "width maxWidth", "size"),
    ("Title", "level", "size"),
    ("Card Image", "backgroundColor background-color bg bgColor", "background"),
    (BOXES, "borderRadius border-radius rounded cornerRadius", "radius"),
    ("Image", "borderRadius border-radius rounded cornerRadius", "radius"),
    ("Image", "url href source image uri", "src"),
    ("Image", "altText alternative description", "alt"),
    ("Image", "objectFit object-fit resizeMode", "fit"),
    ("Icon", "icon", "name"),
    ("Button", "icon startIcon leftIcon", "iconStart"),
    ("Button", "endIcon rightIcon", "iconEnd"),
    ("Button", "fullWidth", "block"),
    ("Input Textarea Select DatePicker RadioGroup", "value default initialValue", "defaultValue"),
    ("Select RadioGroup", "selected", "defaultValue"),
    ("Select RadioGroup", "items choices values", "options"),
    ("DatePicker", "minDate", "min"),
    ("DatePicker", "maxDate", "max"),
    (WEIGHTED, "fontWeight font-weight", "weight"),
    (WEIGHTED, "fontSize font-size", "size"),
    (WEIGHTED, "align alignment text-align", "textAlign"),
    ("Chart", "xKey x xAxisKey", "xAxis"),
    ("an action", "name action", "type"),
    ("an action", "data params args arguments", "payload"),
    ("an option", "text title name", "label"),
    ("an option", "id key", "value"),
    ("a themed colour", "day", "light"),
    ("a themed colour", "night", "dark"),
    ("a series", "key field", "dataKey"),
    ("a series", "name title", "label"),
    ("a border", "width thickness", "size"),
    ("a status", "label title value", "text"),
    ("a card action", "text title", "label"),
    ("a card action", "onClickAction onClick", "action"),
];

const TEXTS: &str = "Text Title Caption Markdown Label";
const WEIGHTED: &str = "Text Title Caption Label";
const CHOICES: &str = "Select DatePicker Checkbox RadioGroup";
const BOXES: &str = "Row Col Box Form Basic";
const CONTAINERS: &str =
    "Card ListView ListViewItem Row Col Box Form Basic Table Table.Row Table.Cell";
const STYLES: &str = "className class style css sx";
const CONDITION: &str =
    "in a YAML `widget`, write `when: NAME`; in a template, put it inside `{% if … %}`";

/// Props without an equivalent: the components (all, if empty), the names, and the help.
const OTHER_PROPS: &[(&str, &str, &str)] = &[
    (
        "Input Textarea Select DatePicker RadioGroup",
        "label",
        "put a Label before it: `{ \"type\": \"Label\", \"value\": \"Name\", \"fieldName\": \"name\" }`",
    ),
    ("Card", "title header heading", "add a Title to its children"),
    ("Card", "onClickAction onClick", "use `confirm` and `cancel`, or put a Button in it"),
    (
        "Card ListView ListViewItem Row Col Box Form Basic Table.Cell",
        "text value content label",
        "add a Text to its children",
    ),
    (
        "Card",
        "actions buttons footer",
        "use `confirm` and `cancel`, or add Buttons to its children",
    ),
    (WEIGHTED, "variant as", "use a Title for a heading, or `size`"),
    (
        "Input Textarea",
        "onChange onchange on_change onInput onChangeAction",
        "the input is sent with the form; `onChangeAction` is for Select, DatePicker, Checkbox and RadioGroup",
    ),
    (
        "Select DatePicker",
        "required",
        "give it a `defaultValue` and no `clearable`, so that it always has a value",
    ),
    (
        "Input Textarea",
        "maxLength minLength maxlength minlength",
        "write a `pattern` such as `.{1,80}`, which the whole value must match",
    ),
    (
        "Input Textarea",
        "min max step",
        "state the limit in the `placeholder`, and validate it in the tool's input schema",
    ),
    ("Select", "multiple multi", "a Select has one value; use a Checkbox for each option"),
    (
        "Chart",
        "labels datasets",
        "`data` is a list of objects, and each series names one of their keys: \
         `\"data\": [{ \"month\": \"Jan\", \"sales\": 12 }], \
         \"series\": [{ \"type\": \"bar\", \"dataKey\": \"sales\" }], \"xAxis\": \"month\"`",
    ),
    ("Card", "gap align justify", "put a Col or a Row in it, and lay that out"),
    (
        "Row Col",
        "direction flexDirection",
        "a Row is horizontal and a Col is vertical; use the other one",
    ),
    (
        "Table",
        "rows data columns header headers",
        "its rows are its children: `{ \"type\": \"Table.Row\", \"children\": [{ \"type\": \"Table.Cell\", … }] }`",
    ),
    (CONTAINERS, "items rows entries elements", "put its content into `children`"),
    ("Text Caption", "bold strong", "write `\"weight\": \"bold\"`"),
    (
        WEIGHTED,
        STYLES,
        "classes and inline styles are not supported; use `size`, `weight`, `color`",
    ),
    (
        "Button Badge",
        STYLES,
        "classes and inline styles are not supported; use `color`, `variant`, `size`",
    ),
    (
        "Card",
        STYLES,
        "classes and inline styles are not supported; use `size`, `padding`, `background`",
    ),
    ("Image", STYLES, "classes and inline styles are not supported; use `size`, `radius`, `fit`"),
    ("Icon Divider", STYLES, "classes and inline styles are not supported; use `size`, `color`"),
    (
        BOXES,
        STYLES,
        "classes and inline styles are not supported; use `padding`, `background`, `radius`",
    ),
    (
        "",
        STYLES,
        "classes and inline styles are not supported; `docs/components.md` lists its props",
    ),
    (
        "",
        "props attributes attrs",
        "put props next to `type`: `{ \"type\": \"Text\", \"value\": \"…\" }`",
    ),
    (
        "",
        "for repeat each forEach foreach v-for loop map",
        "in a `widget` tree, write `for: item in items`; in a template, write it once inside \
         `{% for item in items %} … {% endfor %}`",
    ),
    (
        "",
        "onClick onclick onPress onClickAction",
        "only a Button and a ListViewItem can be clicked",
    ),
    (
        "",
        "href link to url",
        "links work only in Markdown; otherwise, use a Button whose action opens the URL",
    ),
    ("", "visible hidden show if condition v-if", CONDITION),
    ("", "fontFamily font-family font", "the host sets the font"),
];

/// Components by other names: the names, and the intended component.
pub(crate) const RENAMED_COMPONENTS: &[(&str, &str)] = &[
    ("Paragraph P Span Typography String TextBlock", "Text"),
    ("Heading Header H1 H2 H3 H4 H5 H6 Headline", "Title"),
    ("Subtitle Small Footnote", "Caption"),
    ("Div Container View Section Group Panel", "Box"),
    ("HStack Flex Inline Horizontal", "Row"),
    ("VStack Stack Column Vertical", "Col"),
    ("ListItem Li Item ListRow", "ListViewItem"),
    ("Img Picture Photo", "Image"),
    ("TextField TextInput Field EditText", "Input"),
    ("TextBox MultilineInput", "Textarea"),
    ("Dropdown ComboBox Picker Choice", "Select"),
    ("Radio RadioButton Radios", "RadioGroup"),
    ("Switch Toggle CheckBox", "Checkbox"),
    ("Chip Tag Pill", "Badge"),
    ("Hr Separator Line Rule", "Divider"),
    ("DateInput Calendar DateField", "DatePicker"),
    ("Tr TableRow", "Table.Row"),
    ("Td Th TableCell Cell", "Table.Cell"),
    ("Graph BarChart LineChart AreaChart Plot", "Chart"),
    ("Code CodeBlock Pre Html RichText", "Markdown"),
    ("Btn Submit", "Button"),
];

/// Components without an equivalent.
const OTHER_COMPONENTS: &[(&str, &str)] = &[
    ("Link A Anchor", "write a link in Markdown, or a Button whose action opens it"),
    ("Avatar", "use an Image with `\"radius\": \"full\"` and a `size`"),
    ("Grid", "use a Table, or a Row with `\"wrap\": \"wrap\"`"),
    ("Progress ProgressBar Spinner Loader", "write it as text, or use a Chart"),
    ("Tabs Accordion Modal Dialog", "show all of it, or let a Button's action show the rest"),
    ("Video Audio Iframe", "show an Image, and a Button whose action opens it"),
    ("Alert Toast Banner", "use a Box with a `background`, or the `status` of a Card"),
    ("List Ul Ol", "in a Card, use a Col with a Row for each item, or make a ListView the root"),
    (
        "Slider Range Stepper NumberInput",
        "use an Input with `\"inputType\": \"number\"`, or a Select",
    ),
    ("Rating Stars", "use a RadioGroup to ask for it, or Icons with `star-filled` to show it"),
    (
        "TimePicker TimeInput TimeField",
        "use an Input with `\"pattern\": \"([01][0-9]|2[0-3]):[0-5][0-9]\"`, or a Select with the available times",
    ),
    (
        "MultiSelect CheckboxGroup CheckboxList",
        "use a Checkbox for each option, with its own `name`",
    ),
    ("Upload FileInput FileUpload", "uploads are not supported; ask for a URL with an Input"),
    ("Tooltip Popover", "write it out as a Caption"),
    ("Menu Toolbar ButtonGroup", "use a Row of Buttons, or a Select"),
    ("Carousel Gallery", "use a Row with `\"wrap\": \"wrap\"` and an Image for each"),
    ("Map", "show an Image of it, and a Button whose action opens it"),
    ("Timeline Steps", "use a Col with a Row for each step"),
    ("Metric Stat Statistic", "use a Col with a Caption and a Title"),
    (
        "Option",
        "pass options as a prop: `\"options\": [{ \"value\": \"s\", \"label\": \"Small\" }]`",
    ),
    ("Fragment Template Slot", "write the components directly into the children"),
];

/// Icons by other names. Those with a prefix are lucide's.
pub const ICONS: &[(&str, &str)] = &[
    ("add create new", "plus"),
    ("edit pencil pen", "write"),
    ("email envelope", "mail"),
    ("location pin marker", "map-pin"),
    ("map", "maps"),
    ("time watch", "clock"),
    ("date event", "calendar"),
    ("link open", "external-link"),
    ("person people account avatar", "user"),
    ("settings gear cog config", "settings-slider"),
    ("refresh sync retry", "reload"),
    ("help question", "circle-question"),
    ("file doc", "document"),
    ("picture photo image", "square-image"),
    ("code", "square-code"),
    ("menu more ellipsis", "dots-horizontal"),
    ("arrow-right next forward", "chevron-right"),
    ("arrow-left back previous", "chevron-left"),
    ("lightning lightning-bolt flash", "bolt"),
    ("key password", "keys"),
    ("success done tick", "check-circle"),
    ("briefcase work", "suitcase"),
    ("idea bulb", "lightbulb"),
    ("download", "lucide:download"),
    ("upload", "lucide:upload"),
    ("trash delete remove bin", "lucide:trash"),
    ("close x cancel", "lucide:x"),
    ("home house", "lucide:house"),
    ("warning alert", "lucide:triangle-alert"),
    ("error", "lucide:circle-x"),
    ("heart like favorite", "lucide:heart"),
    ("cart shopping-cart", "lucide:shopping-cart"),
    ("money dollar currency-dollar price", "lucide:dollar-sign"),
    ("wallet", "lucide:wallet"),
    ("lock", "lucide:lock"),
    ("eye view", "lucide:eye"),
    ("bell notification", "lucide:bell"),
    ("chat message comment", "lucide:message-circle"),
    ("folder", "lucide:folder"),
    ("filter", "lucide:funnel"),
    ("save", "lucide:save"),
    ("copy", "lucide:copy"),
    ("share", "lucide:share-2"),
    ("sun", "lucide:sun"),
    ("cloud", "lucide:cloud"),
    ("rain", "lucide:cloud-rain"),
    ("car", "lucide:car"),
    ("plane flight airplane", "lucide:plane"),
    ("train", "lucide:train-front"),
];

/// Choices by other names. Of several meanings, the first that the prop accepts counts.
const VALUES: &[(&str, &str)] = &[
    ("tiny x-small extra-small", "xs"),
    ("small", "sm"),
    ("medium normal regular default", "md"),
    ("large big", "lg"),
    ("x-large extra-large huge", "xl"),
    ("regular light default", "normal"),
    ("heavy black bolder strong", "bold"),
    ("flex-start left top begin", "start"),
    ("flex-end right bottom", "end"),
    ("middle centre centered", "center"),
    ("space-between", "between"),
    ("space-around", "around"),
    ("space-evenly", "evenly"),
    ("column vertical", "col"),
    ("horizontal", "row"),
    ("red error critical", "danger"),
    ("green ok positive", "success"),
    ("yellow orange amber", "warning"),
    ("blue information", "info"),
    ("gray grey neutral default", "secondary"),
    ("purple violet", "discovery"),
    ("accent brand main", "primary"),
    ("filled contained primary", "solid"),
    ("outlined bordered secondary", "outline"),
    ("text link plain tertiary", "ghost"),
    ("circle round rounded", "full"),
    ("string", "text"),
    ("phone", "tel"),
    ("column col pie donut", "bar"),
];

/// Functions and methods of Python and JavaScript, and their equivalents in Jinja.
const CALLS: &[(&str, &str)] = &[
    ("len length size count", "write `… | length`"),
    ("str String toString to_s", "write `… | string`"),
    ("int parseInt Number", "write `… | int`"),
    ("float parseFloat", "write `… | float`"),
    ("round toFixed", "write `… | round(2)`"),
    ("sum", "write `… | sum`"),
    ("abs", "write `… | abs`"),
    ("min", "write `… | min`"),
    ("max", "write `… | max`"),
    ("sorted sort", "write `… | sort`"),
    ("reversed reverse", "write `… | reverse`"),
    ("toUpperCase toUpper uppercase upcase", "write `… | upper`"),
    ("toLowerCase toLower lowercase downcase", "write `… | lower`"),
    ("trim", "write `… | trim`"),
    ("join", "write `… | join(\", \")`"),
    ("replaceAll", "write `… | replace(\"a\", \"b\")`"),
    ("includes contains indexOf has", "write `x in …`"),
    ("enumerate", "loop over the list itself; `loop.index` counts from 1"),
    ("zip", "loop over one list, and index the other by `loop.index0`"),
    ("map forEach", "write `{% for item in … %} … {% endfor %}`"),
    ("filter", "write `{% for item in … if item.ok %}`, or `… | selectattr(\"ok\")`"),
    ("slice substring substr", "write `…[0:5]`"),
    ("dumps stringify", "write `… | tojson`"),
    ("toLocaleString currency money number_format", "write `\"%.2f\" % x`"),
    (
        "date strftime dateformat",
        "format the date before you pass it; templates have no date functions",
    ),
    ("json_encode to_json", "write `… | tojson`"),
    ("now Date", "templates cannot read the clock; pass the time in the data"),
    ("print console", "write `{{ … }}`"),
    ("push", "collect in a namespace: `{% set ns = namespace(items=[]) %}`"),
    ("isinstance typeof type", "write `x is string`, `x is number` or `x is mapping`"),
    ("random lipsum", "templates are deterministic; choose in the data, or by `loop.index`"),
    ("urlize", "widgets do not render HTML; write a link in a Markdown component: `[text](url)`"),
    ("xmlattr", "widgets do not render HTML; set each prop by name"),
    ("any all", "loop over it, or write `… | select | length > 0`"),
];

/// Statements of other template languages and of JavaScript.
const STATEMENTS: &[(&str, &str)] = &[
    ("elseif elsif", "write `{% elif … %}`"),
    ("foreach each loop map", "write `{% for item in items %} … {% endfor %}`"),
    ("end", "write `{% endfor %}` or `{% endif %}`"),
    ("let const var assign", "write `{% set name = … %}`"),
    ("while", "the only loop is `{% for item in items %}`"),
    ("switch case when unless", "write `{% if … %} … {% elif … %} … {% endif %}`"),
    ("endforeach endeach next", "write `{% endfor %}`"),
    ("fi end_if", "write `{% endif %}`"),
    ("block", "templates have no inheritance: write the content without the `block`"),
    (
        "include import extends from",
        "a template is a single file: inline the other one, or use a `{% macro %}` for repeated parts",
    ),
    ("comment", "write `{# … #}`"),
    ("print echo", "write `{{ … }}`"),
];

fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

fn same(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known.eq_ignore_ascii_case(word))
}

/// The intended prop, for one that the component (or the object in a prop) does not have.
pub(crate) fn meant_prop(owner: &str, key: &str) -> Option<&'static str> {
    let row =
        RENAMED_PROPS.iter().find(|(owners, words, _)| has_owner(owners, owner) && has(words, key));
    row.map(|(_, _, meant)| *meant)
}

fn has_owner(owners: &str, owner: &str) -> bool {
    owners.is_empty() || owners == owner || has(owners, owner)
}

/// The help for an unknown prop.
pub(crate) fn prop<'a>(owner: &str, key: &str, known: impl Iterator<Item = &'a str>) -> String {
    if let Some(meant) = meant_prop(owner, key) {
        return format!("did you mean {meant}?");
    }
    let other =
        OTHER_PROPS.iter().find(|(owners, words, _)| has_owner(owners, owner) && has(words, key));
    match other {
        Some((_, _, help)) if owner.starts_with(char::is_uppercase) => (*help).into(),
        _ => did_you_mean(key, known),
    }
}

/// Whether an unknown prop replaces all of those that the component needs.
pub(crate) fn is_nested_props(key: &str) -> bool {
    has("props attributes attrs", key)
}

/// Whether a prop of a chart is one of Chart.js, which replaces all that a chart needs.
pub(crate) fn is_chart_js(key: &str) -> bool {
    has("labels datasets", key)
}

/// Whether an unknown prop replaces the component's children.
pub(crate) fn means_children(key: &str) -> bool {
    has("items rows entries elements", key)
}

/// The help for an object that has this key, but no `type`.
pub(crate) fn no_type<'a>(key: &str, mut known: impl Iterator<Item = &'a str>) -> Option<String> {
    if has("component kind tag element Type _type widget", key) {
        return Some(format!("write `type` instead of `{key}`"));
    }
    let is_name = |name: &str| name.eq_ignore_ascii_case(key);
    let name = known
        .find(|name| is_name(name))
        .or_else(|| meant_component(key).filter(|_| key.starts_with(char::is_uppercase)))?;
    Some(format!(
        "put the component name into `type`, and its props next to it: `{{ \"type\": \"{name}\", … }}`"
    ))
}

/// The intended component, for an unknown name.
pub(crate) fn meant_component(name: &str) -> Option<&'static str> {
    RENAMED_COMPONENTS.iter().find(|(words, _)| same(words, name)).map(|(_, meant)| *meant)
}

/// The help for an unknown component.
pub(crate) fn component<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    if let Some(meant) = meant_component(name) {
        return format!("did you mean {meant}?");
    }
    match OTHER_COMPONENTS.iter().find(|(words, _)| same(words, name)) {
        Some((_, help)) => (*help).into(),
        None => match did_you_mean(name, known).as_str() {
            "" => "see `docs/components.md` for all components".into(),
            near => near.into(),
        },
    }
}

/// What to write for a second `type`, by which users mean another prop.
pub(crate) fn second_type(component: &str) -> &'static str {
    match component {
        "Input" => "use `inputType` for the kind of input",
        "Button" => "to submit the form, set `\"submit\": true`",
        _ => "",
    }
}

/// The name of an icon without the prefix that other libraries use.
fn own_name(name: &str) -> &str {
    let sets = ["fas-", "far-", "fab-", "fa-", "mdi-", "mdi:", "bi-", "ti-", "heroicons:", "icon-"];
    let mut name = name;
    for set in sets {
        name = name.strip_prefix(set).unwrap_or(name);
    }
    name
}

/// The help for an unknown icon.
pub(crate) fn icon(name: &str, known: &[&str]) -> String {
    let name = &name.to_ascii_lowercase().replace(['_', ' '], "-");
    let name = own_name(name);
    if let Some((_, meant)) = ICONS.iter().find(|(words, _)| same(words, name)) {
        return format!("did you mean {meant}?");
    }
    if known.contains(&name) {
        return format!("did you mean {name}?");
    }
    let near = did_you_mean(name, known.iter().copied());
    let is_plain =
        name.bytes().all(|byte| byte.is_ascii_lowercase() || b"-0123456789".contains(&byte));
    match near.as_str() {
        "" if is_plain && !name.is_empty() && name.len() < 30 => {
            format!("if lucide has it, write `lucide:{name}`")
        }
        "" => "use an icon name such as `calendar`; see `docs/icons.md`".into(),
        _ => near,
    }
}

/// The help for an invalid choice.
pub(crate) fn choice(word: &str, choices: &[&str]) -> String {
    let meant = VALUES
        .iter()
        .find(|(words, meant)| same(words, word) && choices.contains(meant))
        .map(|(_, meant)| format!("did you mean {meant}?"));
    meant
        .or_else(|| size(word, choices))
        .unwrap_or_else(|| did_you_mean(word, choices.iter().copied()))
}

/// All sizes, in order.
const SIZES: &[&str] =
    &["3xs", "2xs", "xs", "sm", "md", "lg", "xl", "2xl", "3xl", "4xl", "5xl", "6xl"];

/// The help for a size beyond the range of the prop: a similar name may be the opposite size.
fn size(word: &str, choices: &[&str]) -> Option<String> {
    let place = |word: &str| SIZES.iter().position(|size| *size == word);
    let at = place(word)?;
    let sizes = || choices.iter().filter(|choice| place(choice).is_some());
    let (first, last) = (sizes().next()?, sizes().next_back()?);
    if at < place(first)? {
        Some(format!("the smallest is {first}"))
    } else {
        (at > place(last)?).then(|| format!("the largest is {last}"))
    }
}

/// The equivalent in Jinja of a function or method of Python or JavaScript.
pub(crate) fn call(name: &str) -> &'static str {
    CALLS.iter().find(|(words, _)| has(words, name)).map_or("", |(_, help)| help)
}

/// JavaScript methods that no string, list or map has here.
const NO_METHODS: &str = "toFixed toString toUpperCase toLowerCase toLocaleString map forEach filter \
    includes indexOf push slice substring substr replaceAll reduce some every concat";

/// The equivalent in Jinja of a method that certainly does not exist.
pub(crate) fn no_method(name: &str) -> Option<&'static str> {
    has(NO_METHODS, name).then(|| call(name))
}

/// What Jinja has for a name that is neither data nor its own.
pub fn variable(name: &str) -> &'static str {
    match name {
        "null" | "nil" | "NULL" | "Null" => "write `none`",
        "TRUE" => "write `true`",
        "FALSE" => "write `false`",
        "this" | "props" | "data" | "state" => "use the names of the data directly",
        _ => "",
    }
}

/// What Jinja has for a member that users expect of a list or a text.
pub fn member(name: &str) -> &'static str {
    match name {
        "length" | "size" | "count" => "write `… | length`",
        _ => "",
    }
}

/// The equivalent in Jinja of another language's statement.
pub(crate) fn statement(name: &str) -> &'static str {
    STATEMENTS.iter().find(|(words, _)| same(words, name)).map_or("", |(_, help)| help)
}

/// The equivalent in Jinja of the characters at the start of this code.
pub(crate) fn sign(code: &str) -> Option<(&'static str, &'static str)> {
    const SIGNS: &[(&str, &str)] = &[
        ("??", "write `a | default(b)`"),
        ("?.", "write `a.b`; a missing value is undefined"),
        ("?:", "write `a | default(b)`"),
        ("?", "write `b if a else c`"),
        ("&&", "write `a and b`"),
        ("||", "write `a or b`"),
        ("&", "write `a and b`"),
        ("!", "write `not a`"),
        ("=>", "there are no functions in templates"),
        ("++", "write `{% set n = n + 1 %}`; in a loop, `loop.index` counts"),
        ("`", "write \"…\", and concatenate strings with `~`"),
        ("$", "write the name alone"),
        ("@", "write the name alone"),
        ("#", "a comment is `{# … #}`"),
        (";", "remove it"),
    ];
    SIGNS.iter().find(|(sign, _)| code.starts_with(sign)).copied()
}
