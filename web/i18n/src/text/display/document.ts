// Generated from words.json by `node i18n/generate.mjs`.

import type { Words } from "../../language";

export const words = {
  title: ["Document","Dokument","Document","Documento","مستند","מסמך","文書"],
  copy: ["Copy Markdown","Markdown kopieren","Copier le Markdown","Copiar Markdown","نسخ Markdown","העתקת Markdown","Markdown をコピー"],
  whole: ["Read more","Weiterlesen","Lire la suite","Seguir leyendo","متابعة القراءة","להמשך קריאה","続きを読む"],
  none: ["The document is empty","Das Dokument ist leer","Le document est vide","El documento está vacío","المستند فارغ","המסמך ריק","文書は空です"],
  prompt: ["Summarise the document “{title}”.","Fasse das Dokument „{title}“ zusammen.","Résume le document « {title} ».","Resume el documento «{title}».","لخّص المستند «{title}».","סכם את המסמך „{title}”.","文書「{title}」を要約して。"],
  sum: ["Summarise","Zusammenfassen","Résumer","Resumir","تلخيص","סיכום","要約"],
} satisfies Words;
