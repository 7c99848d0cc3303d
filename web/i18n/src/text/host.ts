// Generated from words.json by `node i18n/generate.mjs`.

import type { Text } from "../language";

export const open: Text = ["Open","Öffnen","Ouvrir","Abrir","فتح","פתיחה","開く"];
export const submit: Text = ["Submit","Absenden","Envoyer","Enviar","إرسال","שליחה","送信"];
export const more: Text = ["{n} more","{n} weitere","{n} de plus","{n} más","{n} إضافية","עוד {n}","他 {n} 件"];
export const more_rows: Text = ["{n} more row|{n} more rows","{n} weitere Zeile|{n} weitere Zeilen","{n} ligne de plus|{n} lignes de plus","{n} fila más|{n} filas más","{n} من الصفوف الإضافية","עוד שורה אחת ({n})|עוד {n} שורות","他 {n} 行"];
export const required: Text = ["required","erforderlich","obligatoire","obligatorio","مطلوب","חובה","必須"];
export const selected: Text = ["selected","ausgewählt","sélectionné","seleccionado","محدد","נבחר","選択中"];
export const unavailable: Text = ["unavailable","nicht verfügbar","indisponible","no disponible","غير متاح","לא זמין","利用不可"];
export const choose: Text = ["Choose","Auswählen","Choisir","Elegir","اختر","בחירה","選択"];
export const your_answer: Text = ["Your answer","Deine Antwort","Votre réponse","Tu respuesta","إجابتك","התשובה שלכם","あなたの回答"];
export const empty: Text = ["Nothing here","Nichts vorhanden","Rien à afficher","Nada que mostrar","لا شيء لعرضه","אין מה להציג","表示する内容がありません"];
export const yes: Text = ["Yes","Ja","Oui","Sí","نعم","כן","はい"];
export const no: Text = ["No","Nein","Non","No","لا","לא","いいえ"];
export const image: Text = ["Image","Bild","Image","Imagen","صورة","תמונה","画像"];
export const chart: Text = ["Chart","Diagramm","Graphique","Gráfico","رسم بياني","תרשים","グラフ"];
export const invalid: Text = ["Invalid","Ungültig","Non valide","No válido","غير صالح","לא תקין","無効です"];
export const actions: Text = ["Actions","Aktionen","Actions","Acciones","إجراءات","פעולות","操作"];
export const not_shown: Text = ["Not shown here","Hier nicht dargestellt","Non affiché ici","No se muestra aquí","غير معروض هنا","לא מוצג כאן","ここでは表示されません"];
