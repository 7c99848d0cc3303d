//! The members of components and of objects in their props that a compact tree keeps.

use crate::tree::names::names;

names! {
    /// A member that a compact tree keeps, of a component or of an object in a prop. The keys of a
    /// component are a set of bits, so there can be 64 of them.
    pub enum Key {
        Type = "type",
        Children = "children",
        Action = "action",
        Align = "align",
        Alt = "alt",
        AriaLabel = "ariaLabel",
        AsForm = "asForm",
        Background = "background",
        Border = "border",
        Cancel = "cancel",
        ColSpan = "colSpan",
        Color = "color",
        Confirm = "confirm",
        Data = "data",
        Column = "dataKey",
        DefaultChecked = "defaultChecked",
        DefaultValue = "defaultValue",
        Description = "description",
        Direction = "direction",
        Disabled = "disabled",
        Editable = "editable",
        FieldName = "fieldName",
        Flex = "flex",
        Gap = "gap",
        Header = "header",
        Height = "height",
        Icon = "icon",
        IconEnd = "iconEnd",
        IconStart = "iconStart",
        Id = "id",
        InputType = "inputType",
        Italic = "italic",
        Justify = "justify",
        Label = "label",
        Labels = "labels",
        LineThrough = "lineThrough",
        Max = "max",
        Min = "min",
        Name = "name",
        OnChangeAction = "onChangeAction",
        OnClickAction = "onClickAction",
        OnSubmitAction = "onSubmitAction",
        Options = "options",
        Pattern = "pattern",
        Payload = "payload",
        Placeholder = "placeholder",
        Radius = "radius",
        Required = "required",
        Series = "series",
        Size = "size",
        Src = "src",
        Stack = "stack",
        Status = "status",
        Style = "style",
        Submit = "submit",
        Text = "text",
        TextAlign = "textAlign",
        Url = "url",
        Value = "value",
        Variant = "variant",
        Weight = "weight",
        Width = "width",
        XAxis = "xAxis",
        // Members of objects alone, which need no bit.
        Bottom = "bottom",
        Handler = "handler",
        Left = "left",
        Light = "light",
        Right = "right",
        Top = "top",
        X = "x",
        Y = "y",
    }
}

impl Key {
    /// One bit in a set of keys; none for those that no component keeps.
    #[inline]
    pub(crate) fn bit(self) -> u64 {
        1u64.checked_shl(self as u32).unwrap_or(0)
    }
}
