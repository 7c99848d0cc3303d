// Generated from words.json by `node i18n/generate.mjs`.

import type { Text } from "../language";

export const search: Text = ["Search","Suchen","Rechercher","Buscar","بحث","חיפוש","検索"];
export const no_matches: Text = ["No matches","Keine Treffer","Aucun résultat","Sin resultados","لا نتائج","אין תוצאות","該当なし"];
export const clear: Text = ["Clear","Leeren","Effacer","Borrar","مسح","ניקוי","クリア"];
export const unfold: Text = ["Show details","Details zeigen","Afficher les détails","Mostrar detalles","عرض التفاصيل","הצגת פרטים","詳細を表示"];
export const fold: Text = ["Hide details","Details ausblenden","Masquer les détails","Ocultar detalles","إخفاء التفاصيل","הסתרת פרטים","詳細を隠す"];
export const table: Text = ["Table","Tabelle","Tableau","Tabla","جدول","טבלה","表"];
export const loading: Text = ["Loading","Wird geladen","Chargement","Cargando","جارٍ التحميل","טוען","読み込み中"];
export const broken: Text = ["This could not be shown","Das ließ sich nicht anzeigen","Impossible d’afficher ce contenu","No se ha podido mostrar","تعذّر عرض هذا","לא ניתן להציג זאת","表示できませんでした"];
export const failed: Text = ["This did not work","Das hat nicht funktioniert","Cela n’a pas fonctionné","No ha funcionado","لم ينجح ذلك","זה לא הצליח","うまくいきませんでした"];
export const cancelled: Text = ["Cancelled","Abgebrochen","Annulé","Cancelado","أُلغي","בוטל","キャンセルされました"];
export const done: Text = ["Done","Fertig","Terminé","Hecho","تم","הושלם","完了"];
export const sent: Text = ["Sent to the conversation","An das Gespräch gesendet","Envoyé dans la conversation","Enviado a la conversación","أُرسل إلى المحادثة","נשלח לשיחה","会話に送信しました"];
export const noted: Text = ["Noted for the next message","Für die nächste Nachricht gemerkt","Noté pour le prochain message","Anotado para el próximo mensaje","سيُرفق بالرسالة التالية","נרשם להודעה הבאה","次のメッセージで伝えます"];
export const unopened: Text = ["The link could not be opened: {url}","Der Link ließ sich nicht öffnen: {url}","Le lien n’a pas pu être ouvert : {url}","No se ha podido abrir el enlace: {url}","تعذّر فتح الرابط: {url}","לא ניתן לפתוח את הקישור: {url}","リンクを開けませんでした: {url}"];
export const no_password: Text = ["Passwords are not sent to the chat","Passwörter werden nicht in den Chat gesendet","Les mots de passe ne sont pas envoyés dans le chat","Las contraseñas no se envían al chat","لا تُرسل كلمات المرور إلى المحادثة","סיסמאות אינן נשלחות לצ׳אט","パスワードはチャットに送信されません"];
export const say_it: Text = ["Not possible here. Please write it in the chat.","Hier nicht möglich. Bitte schreib es in den Chat.","Impossible ici. Écrivez-le dans le chat.","No es posible aquí. Escríbelo en el chat.","غير ممكن هنا. اكتبه في المحادثة.","לא אפשרי כאן. כתבו זאת בצ׳אט.","ここではできません。チャットに入力してください。"];
export const chose: Text = ["I chose “{label}”.","Ich habe „{label}“ gewählt.","J’ai choisi « {label} ».","He elegido «{label}».","اخترت «{label}».","בחרתי ”{label}“.","「{label}」を選びました。"];
