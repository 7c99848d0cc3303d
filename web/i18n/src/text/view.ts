// Generated from words.json by `node i18n/generate.mjs`.

import type { Text } from "../language";

export const search: Text = ["Search","Suchen","Rechercher","Buscar","بحث","חיפוש","検索"];
export const no_matches: Text = ["No matches","Keine Treffer","Aucun résultat","Sin resultados","لا نتائج","אין תוצאות","該当なし"];
export const clear: Text = ["Clear","Leeren","Effacer","Borrar","مسح","ניקוי","クリア"];
export const details: Text = ["Details","Details","Détails","Detalles","التفاصيل","פרטים","詳細"];
export const table: Text = ["Table","Tabelle","Tableau","Tabla","جدول","טבלה","表"];
export const loading: Text = ["Loading","Wird geladen","Chargement","Cargando","جارٍ التحميل","טוען","読み込み中"];
export const failed: Text = ["Something went wrong","Das hat nicht funktioniert","Cela n’a pas fonctionné","No ha funcionado","لم ينجح ذلك","זה לא הצליח","うまくいきませんでした"];
export const cancelled: Text = ["Cancelled","Abgebrochen","Annulé","Cancelado","أُلغي","בוטל","キャンセルされました"];
export const done: Text = ["Done","Fertig","Terminé","Hecho","تم","הושלם","完了"];
export const impossible: Text = ["Not possible here","Hier nicht möglich","Impossible ici","No es posible aquí","غير ممكن هنا","לא אפשרי כאן","ここではできません"];
export const chose: Text = ["I chose “{label}”.","Ich habe „{label}“ gewählt.","J’ai choisi « {label} ».","He elegido «{label}».","اخترت «{label}».","בחרתי ”{label}“.","「{label}」を選びました。"];
export const choose_date: Text = ["Choose a date","Datum auswählen","Choisir une date","Elegir una fecha","اختر تاريخًا","בחירת תאריך","日付を選択"];
