// Generated from words.json by `node i18n/generate.mjs`.

import type { Words } from "../../language";

export const words = {
  title: ["Results for “{query}”","Ergebnisse für „{query}“","Résultats pour « {query} »","Resultados de «{query}»","نتائج «{query}»","תוצאות עבור „{query}”","「{query}」の結果"],
  count: ["{n} result|{n} results","{n} Ergebnis|{n} Ergebnisse","{n} résultat|{n} résultats","{n} resultado|{n} resultados","النتائج: {n}","תוצאות: {n}","{n} 件"],
  some: ["{n} of {all}","{n} von {all}","{n} sur {all}","{n} de {all}","{n} من {all}","{n} מתוך {all}","{all} 件中 {n} 件"],
  filter: ["Filter by tag","Nach Schlagwort filtern","Filtrer par étiquette","Filtrar por etiqueta","تصفية حسب الوسم","סינון לפי תגית","タグで絞り込む"],
  all: ["All","Alle","Tous","Todos","الكل","הכול","すべて"],
  none: ["No results","Keine Ergebnisse","Aucun résultat","Sin resultados","لا توجد نتائج","אין תוצאות","結果がありません"],
  other: ["Try other words, or ask for something broader.","Versuche andere Wörter oder frage allgemeiner.","Essayez d’autres mots ou une demande plus large.","Prueba con otras palabras o algo más general.","جرّب كلمات أخرى أو اطلب شيئًا أعم.","נסו מילים אחרות או בקשה רחבה יותר.","別の言葉や、より広い条件で試してください。"],
  which: ["Help me choose","Hilf mir wählen","Aidez-moi à choisir","Ayúdame a elegir","ساعدني في الاختيار","עזרו לי לבחור","選ぶのを手伝って"],
  compare: ["Help me choose from the results for “{query}”: {titles}","Hilf mir, aus den Ergebnissen für „{query}“ zu wählen: {titles}","Aide-moi à choisir parmi les résultats pour « {query} » : {titles}","Ayúdame a elegir entre los resultados de «{query}»: {titles}","ساعدني في الاختيار من نتائج «{query}»: {titles}","עזור לי לבחור מתוך התוצאות עבור „{query}”: {titles}","「{query}」の結果から選ぶのを手伝って: {titles}"],
  prompt: ["Tell me more about “{title}” from the results for “{query}”.{url}","Erzähl mir mehr über „{title}“ aus den Ergebnissen für „{query}“.{url}","Parle-moi de « {title} » dans les résultats pour « {query} ».{url}","Cuéntame más sobre «{title}» de los resultados de «{query}».{url}","أخبرني المزيد عن «{title}» من نتائج «{query}».{url}","ספר לי עוד על „{title}” מתוך התוצאות עבור „{query}”.{url}","「{query}」の結果にある「{title}」について詳しく教えて。{url}"],
} satisfies Words;
