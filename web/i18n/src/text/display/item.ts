// Generated from words.json by `node i18n/generate.mjs`.

import type { Words } from "../../language";

export const words = {
  pizzas: ["Six classic pizzas","Sechs klassische Pizzen","Six pizzas classiques","Seis pizzas clásicas","ست بيتزا كلاسيكية","שש פיצות קלאסיות","定番のピザ 6 種"],
  gallery: ["Pizza gallery","Pizza-Galerie","Galerie de pizzas","Galería de pizzas","معرض البيتزا","גלריית פיצות","ピザギャラリー"],
  none: ["Nothing here","Nichts vorhanden","Rien à afficher","Nada que mostrar","لا شيء لعرضه","אין מה להציג","表示する内容がありません"],
  open: ["Open","Öffnen","Ouvrir","Abrir","فتح","פתיחה","開く"],
  back: ["All items","Alle anzeigen","Tout afficher","Ver todo","عرض الكل","הצגת הכול","一覧へ"],
  range: ["{from}–{to} of {all}","{from}–{to} von {all}","{from}–{to} sur {all}","{from}–{to} de {all}","{from}–{to} من {all}","{from}–{to} מתוך {all}","{from}–{to} / {all}"],
  count: ["{n} item|{n} items","{n} Eintrag|{n} Einträge","{n} élément|{n} éléments","{n} elemento|{n} elementos","العناصر: {n}","פריטים: {n}","{n} 件"],
  clipped: ["The first {n} of {all}","Die ersten {n} von {all}","Les {n} premiers sur {all}","Los primeros {n} de {all}","أول {n} من {all}","{n} הראשונים מתוך {all}","{all} 件中 最初の {n} 件"],
  prompt: ["Tell me more about {title}.","Erzähl mir mehr über {title}.","Parle-moi de {title}.","Cuéntame más sobre {title}.","أخبرني المزيد عن {title}.","ספר לי עוד על {title}.","{title} について詳しく教えて。"],
  vegetarian: ["Vegetarian","Vegetarisch","Végétarienne","Vegetariana","نباتية","צמחונית","ベジタリアン"],
  vegan: ["Vegan","Vegan","Végane","Vegana","نباتية صِرفة","טבעונית","ビーガン"],
  hot: ["Hot","Scharf","Piquante","Picante","حارّة","חריפה","辛口"],
  with0: ["Tomato, mozzarella, basil","Tomate, Mozzarella, Basilikum","Tomate, mozzarella, basilic","Tomate, mozzarella, albahaca","طماطم وموزاريلا وريحان","עגבניות, מוצרלה, בזיליקום","トマト、モッツァレラ、バジル"],
  with1: ["Salami, chilli, peppers","Salami, Chili, Paprika","Salami, piment, poivron","Salami, chile, pimiento","سلامي وفلفل حار وفلفل","סלמי, צ׳ילי, פלפלים","サラミ、唐辛子、パプリカ"],
  with2: ["Mushrooms, garlic, thyme","Pilze, Knoblauch, Thymian","Champignons, ail, thym","Setas, ajo, tomillo","فطر وثوم وزعتر","פטריות, שום, טימין","きのこ、にんにく、タイム"],
  with3: ["Four cheeses, no tomato","Vier Käse, ohne Tomate","Quatre fromages, sans tomate","Cuatro quesos, sin tomate","أربعة أجبان بلا طماطم","ארבע גבינות, ללא עגבניות","4 種のチーズ、トマトなし"],
  with4: ["Tomatoes, olives, peppers","Tomaten, Oliven, Paprika","Tomates, olives, poivrons","Tomates, aceitunas, pimientos","طماطم وزيتون وفلفل","עגבניות, זיתים, פלפלים","トマト、オリーブ、パプリカ"],
  with5: ["Tomato, garlic, oregano","Tomate, Knoblauch, Oregano","Tomate, ail, origan","Tomate, ajo, orégano","طماطم وثوم وأوريغانو","עגבניות, שום, אורגנו","トマト、にんにく、オレガノ"],
  story0: ["The one to judge a kitchen by: three toppings, nowhere to hide.","An ihr misst man eine Küche: drei Zutaten, kein Versteck.","Celle qui juge une cuisine : trois garnitures, rien à cacher.","La que mide una cocina: tres ingredientes y nada que esconder.","بها تُقاس المطابخ: ثلاثة مكونات بلا إخفاء.","לפיה שופטים מטבח: שלוש תוספות ואין איפה להסתתר.","具は 3 つだけ。店の腕がわかる一枚です。"],
  story1: ["Salami that curls at the edge, and chilli that arrives late.","Salami, die sich am Rand wellt, und Chili, der spät kommt.","Un salami qui se recourbe et un piment qui arrive tard.","Salami que se riza en el borde y un picante que llega tarde.","سلامي مقرمش الأطراف وحرارة تصل متأخرة.","סלמי שמתקפל בקצה, וחריפות שמגיעה מאוחר.","縁が反ったサラミと、後から来る辛さ。"],
  story2: ["Earthy and quiet. Fry the mushrooms first, or they will water it down.","Erdig und ruhig. Brate die Pilze vorher, sonst wird sie nass.","Terreuse et calme. Faites d’abord sauter les champignons.","Terrosa y tranquila. Saltea antes las setas o soltarán agua.","نكهة ترابية هادئة. اقلِ الفطر أولًا كي لا يرطبها.","אדמתית ושקטה. טגנו קודם את הפטריות.","土の香り。きのこは先に炒めて水気を飛ばします。"],
  story3: ["Mild, sharp, creamy and blue, on a white base.","Mild, kräftig, cremig und blau, auf weißem Boden.","Doux, fort, crémeux et bleu, sur une base blanche.","Suave, fuerte, cremoso y azul, sobre base blanca.","خفيف وحادّ وكريمي وأزرق على قاعدة بيضاء.","עדין, חד, קרמי וכחול, על בסיס לבן.","マイルド、シャープ、クリーミー、ブルーを白いベースで。"],
  story4: ["All colours of the market, cut small so that nothing slides off.","Alle Farben des Marktes, klein geschnitten, damit nichts rutscht.","Toutes les couleurs du marché, coupées fin.","Todos los colores del mercado, en trozos pequeños.","كل ألوان السوق مقطعة صغيرة كي لا تنزلق.","כל צבעי השוק, חתוכים קטן כדי ששום דבר לא יחליק.","市場の彩りを小さく刻んで。"],
  story5: ["Older than all the others, and without any cheese.","Älter als alle anderen, und ganz ohne Käse.","Plus ancienne que toutes les autres, et sans fromage.","Más antigua que todas las demás, y sin queso.","أقدم من جميع الأخريات، وبلا جبن.","ותיקה מכולן, וללא גבינה.","どれよりも古く、チーズは使いません。"],
} satisfies Words;
