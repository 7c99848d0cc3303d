//! Written from the group `host` of `web/i18n/words.json`: `WIDGETCAST_BLESS=1 cargo test -p
//! widgetcast-core` writes this file.

/// A word or a phrase that a printer may add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// A link or an action that has an address but no label of its own needs a name.
    Open,
    /// A form without a submit button gets one where the host sends nothing by itself.
    Submit,
    /// A list was cut, and the reader must know how many entries follow.
    More,
    /// A table was cut, and the reader must know how many rows follow.
    MoreRows,
    /// A host without a mark for required fields needs a word for it.
    Required,
    /// Text has no other way to tell which option is selected.
    Selected,
    /// Text has no other way to tell that an option or a button is disabled.
    Unavailable,
    /// A select without a placeholder needs one, and some hosts refuse it without.
    Choose,
    /// A field without a label needs a name, for screen readers and for hosts that require one.
    YourAnswer,
    /// A list, table or chart without data would leave a blank area.
    Empty,
    /// A boolean in a table or a list of facts needs a word.
    Yes,
    /// A boolean in a table or a list of facts needs a word.
    No,
    /// Hosts require alternative text, and an image may have none.
    Image,
    /// A chart without a title needs a name, for screen readers and for hosts that require one.
    Chart,
    /// A host that asks for an error message shows it when a field does not match its pattern.
    Invalid,
    /// Buttons that do not fit go into a menu, which needs a name.
    Actions,
    /// A part that the host cannot show must not vanish without a word.
    NotShown,
}

#[rustfmt::skip]
pub(super) static TABLE: [[&str; 7]; 17] = [
    ["Open", "Öffnen", "Ouvrir", "Abrir", "فتح", "פתיחה", "開く"],
    ["Submit", "Absenden", "Envoyer", "Enviar", "إرسال", "שליחה", "送信"],
    ["{n} more", "{n} weitere", "{n} de plus", "{n} más", "{n} إضافية", "עוד {n}", "他 {n} 件"],
    ["{n} more row|{n} more rows", "{n} weitere Zeile|{n} weitere Zeilen", "{n} ligne de plus|{n} lignes de plus", "{n} fila más|{n} filas más", "{n} من الصفوف الإضافية", "עוד שורה אחת ({n})|עוד {n} שורות", "他 {n} 行"],
    ["required", "erforderlich", "obligatoire", "obligatorio", "مطلوب", "חובה", "必須"],
    ["selected", "ausgewählt", "sélectionné", "seleccionado", "محدد", "נבחר", "選択中"],
    ["unavailable", "nicht verfügbar", "indisponible", "no disponible", "غير متاح", "לא זמין", "利用不可"],
    ["Choose", "Auswählen", "Choisir", "Elegir", "اختر", "בחירה", "選択"],
    ["Your answer", "Deine Antwort", "Votre réponse", "Tu respuesta", "إجابتك", "התשובה שלכם", "あなたの回答"],
    ["Nothing here", "Nichts vorhanden", "Rien à afficher", "Nada que mostrar", "لا شيء لعرضه", "אין מה להציג", "表示する内容がありません"],
    ["Yes", "Ja", "Oui", "Sí", "نعم", "כן", "はい"],
    ["No", "Nein", "Non", "No", "لا", "לא", "いいえ"],
    ["Image", "Bild", "Image", "Imagen", "صورة", "תמונה", "画像"],
    ["Chart", "Diagramm", "Graphique", "Gráfico", "رسم بياني", "תרשים", "グラフ"],
    ["Invalid", "Ungültig", "Non valide", "No válido", "غير صالح", "לא תקין", "無効です"],
    ["Actions", "Aktionen", "Actions", "Acciones", "إجراءات", "פעולות", "操作"],
    ["Not shown here", "Hier nicht dargestellt", "Non affiché ici", "No se muestra aquí", "غير معروض هنا", "לא מוצג כאן", "ここでは表示されません"],
];
