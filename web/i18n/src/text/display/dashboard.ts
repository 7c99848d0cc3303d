// Generated from words.json by `node i18n/generate.mjs`.

import type { Words } from "../../language";

export const words = {
  title: ["Dashboard","Übersicht","Tableau de bord","Panel","لوحة المعلومات","לוח מחוונים","ダッシュボード"],
  numbers: ["Numbers","Zahlen","Chiffres","Cifras","الأرقام","מספרים","数値"],
  chats: ["Recent chats","Letzte Chats","Discussions récentes","Chats recientes","المحادثات الأخيرة","שיחות אחרונות","最近のチャット"],
  up: ["up","gestiegen","en hausse","sube","ارتفاع","עלייה","上昇"],
  down: ["down","gefallen","en baisse","baja","انخفاض","ירידה","下降"],
  flat: ["unchanged","unverändert","stable","sin cambios","دون تغيير","ללא שינוי","変化なし"],
  nothing: ["Nothing to show yet","Noch nichts zu zeigen","Rien à afficher pour l’instant","Aún no hay nada que mostrar","لا شيء لعرضه بعد","אין עדיין מה להציג","まだ表示するものがありません"],
  later: ["Numbers and recent chats appear here once there are some.","Zahlen und letzte Chats erscheinen hier, sobald es welche gibt.","Les chiffres et les discussions récentes apparaîtront ici.","Las cifras y los chats recientes aparecerán aquí.","ستظهر الأرقام والمحادثات الأخيرة هنا عند توفرها.","מספרים ושיחות אחרונות יופיעו כאן כשיהיו.","数値や最近のチャットがあればここに表示されます。"],
  noNumbers: ["No numbers yet","Noch keine Zahlen","Pas encore de chiffres","Aún no hay cifras","لا أرقام بعد","אין עדיין מספרים","数値はまだありません"],
  noChats: ["No recent chats","Keine letzten Chats","Aucune discussion récente","No hay chats recientes","لا محادثات أخيرة","אין שיחות אחרונות","最近のチャットはありません"],
  explain: ["Explain these numbers","Diese Zahlen erklären","Expliquer ces chiffres","Explicar estas cifras","اشرح هذه الأرقام","להסביר את המספרים","数値を説明して"],
  open: ["Continue “{title}”","„{title}“ fortsetzen","Reprendre « {title} »","Continuar «{title}»","متابعة «{title}»","להמשיך את „{title}”","「{title}」を続ける"],
  shown: ["What was shown here","Was hier gezeigt wurde","Ce qui a été affiché ici","Lo que se mostró aquí","ما عُرض هنا","מה הוצג כאן","ここに表示されたもの"],
  opened: ["Chats opened","Geöffnete Chats","Discussions ouvertes","Chats abiertos","محادثات فُتحت","שיחות שנפתחו","開いたチャット"],
  searches: ["Searches shown","Gezeigte Suchen","Recherches affichées","Búsquedas mostradas","عمليات بحث عُرضت","חיפושים שהוצגו","表示した検索"],
  tables: ["Tables shown","Gezeigte Tabellen","Tableaux affichés","Tablas mostradas","جداول عُرضت","טבלאות שהוצגו","表示した表"],
} satisfies Words;
