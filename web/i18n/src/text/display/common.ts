// Generated from words.json by `node i18n/generate.mjs`.

import type { Words } from "../../language";

export const words = {
  loading: ["Loading","Wird geladen","Chargement","Cargando","جارٍ التحميل","טוען","読み込み中"],
  late: ["Nothing has arrived yet. The assistant may still be working.","Noch ist nichts angekommen. Vielleicht arbeitet der Assistent noch.","Rien n’est encore arrivé. L’assistant travaille peut-être encore.","Aún no ha llegado nada. Puede que el asistente siga trabajando.","لم يصل شيء بعد. ربما لا يزال المساعد يعمل.","עדיין לא הגיע דבר. ייתכן שהעוזר עדיין עובד.","まだ何も届いていません。アシスタントが作業中かもしれません。"],
  failed: ["This could not be shown","Das ließ sich nicht anzeigen","Impossible d’afficher ce contenu","No se ha podido mostrar","تعذّر عرض هذا","לא ניתן להציג זאת","表示できませんでした"],
  odd: ["The tool returned data that this view does not support.","Das Werkzeug hat Daten geliefert, die diese Ansicht nicht kennt.","L’outil a répondu avec des données que cette vue ne connaît pas.","La herramienta respondió con datos que esta vista no conoce.","أجابت الأداة ببيانات لا تعرفها هذه الواجهة.","הכלי השיב בנתונים שתצוגה זו אינה מכירה.","ツールの応答データをこの画面では扱えません。"],
  cancelled: ["Cancelled","Abgebrochen","Annulé","Cancelado","أُلغي","בוטל","キャンセルされました"],
  fullscreen: ["Full screen","Vollbild","Plein écran","Pantalla completa","ملء الشاشة","מסך מלא","全画面"],
  leave: ["Leave full screen","Vollbild verlassen","Quitter le plein écran","Salir de pantalla completa","إنهاء ملء الشاشة","יציאה ממסך מלא","全画面を終了"],
  pip: ["Picture-in-picture","Bild im Bild","Image dans l’image","Imagen en imagen","صورة داخل صورة","תמונה בתוך תמונה","ピクチャー イン ピクチャー"],
  ask: ["Ask about this","Dazu fragen","En savoir plus","Preguntar","اسأل عن هذا","לשאול על זה","これについて聞く"],
  sent: ["Sent to the conversation","An das Gespräch gesendet","Envoyé dans la conversation","Enviado a la conversación","أُرسل إلى المحادثة","נשלח לשיחה","会話に送信しました"],
  unsent: ["The message could not be sent","Die Nachricht ließ sich nicht senden","Le message n’a pas pu être envoyé","No se ha podido enviar el mensaje","تعذّر إرسال الرسالة","לא ניתן לשלוח את ההודעה","メッセージを送信できませんでした"],
  unopened: ["The link could not be opened: {url}","Der Link ließ sich nicht öffnen: {url}","Le lien n’a pas pu être ouvert : {url}","No se ha podido abrir el enlace: {url}","تعذّر فتح الرابط: {url}","לא ניתן לפתוח את הקישור: {url}","リンクを開けませんでした: {url}"],
  opens: ["opens externally","öffnet außerhalb","s’ouvre à l’extérieur","se abre fuera","يُفتح في الخارج","נפתח מחוץ לעמוד","外部で開きます"],
  copy: ["Copy","Kopieren","Copier","Copiar","نسخ","העתקה","コピー"],
  copied: ["Copied","Kopiert","Copié","Copiado","تم النسخ","הועתק","コピーしました"],
  saved: ["Saved as a file","Als Datei gesichert","Enregistré dans un fichier","Guardado como archivo","حُفظ كملف","נשמר כקובץ","ファイルに保存しました"],
  uncopied: ["Copying is not allowed here","Kopieren ist hier nicht erlaubt","La copie n’est pas autorisée ici","Aquí no se permite copiar","النسخ غير مسموح هنا","ההעתקה אינה מותרת כאן","ここではコピーできません"],
  close: ["Close","Schließen","Fermer","Cerrar","إغلاق","סגירה","閉じる"],
  more: ["{n} more","{n} weitere","{n} de plus","{n} más","{n} إضافية","עוד {n}","他 {n} 件"],
  previous: ["Previous","Zurück","Précédent","Anterior","السابق","הקודם","前へ"],
  next: ["Next","Weiter","Suivant","Siguiente","التالي","הבא","次へ"],
  item: ["{n} of {all}","{n} von {all}","{n} sur {all}","{n} de {all}","{n} من {all}","{n} מתוך {all}","{n}/{all}"],
} satisfies Words;
