// Generated from words.json by `node i18n/generate.mjs`.

import type { Words } from "../../language";

export const words = {
  table: ["Table","Tabelle","Tableau","Tabla","جدول","טבלה","表"],
  rows: ["{n} row|{n} rows","{n} Zeile|{n} Zeilen","{n} ligne|{n} lignes","{n} fila|{n} filas","الصفوف: {n}","שורות: {n}","{n} 行"],
  some: ["{n} of {all} rows","{n} von {all} Zeilen","{n} lignes sur {all}","{n} de {all} filas","الصفوف: {n} من {all}","שורות: {n} מתוך {all}","{all} 行中 {n} 行"],
  range: ["{from}–{to} of {all}","{from}–{to} von {all}","{from}–{to} sur {all}","{from}–{to} de {all}","{from}–{to} من {all}","{from}–{to} מתוך {all}","{all} 行中 {from}–{to}"],
  all: ["The whole row|All {n} rows","Die ganze Zeile|Alle {n} Zeilen","La ligne entière|Les {n} lignes","La fila entera|Las {n} filas","كل الصفوف ({n})","כל השורות ({n})","全 {n} 行"],
  filter: ["Filter rows","Zeilen filtern","Filtrer les lignes","Filtrar filas","تصفية الصفوف","סינון שורות","行を絞り込む"],
  sort: ["Sort by","Sortieren nach","Trier par","Ordenar por","ترتيب حسب","מיון לפי","並べ替え"],
  given: ["Original order","Wie geliefert","Ordre d’origine","Orden original","كما وردت","כפי שהתקבל","元の順"],
  turn: ["Reverse order","Reihenfolge umkehren","Inverser l’ordre","Invertir el orden","عكس الترتيب","היפוך הסדר","順序を反転"],
  copy: ["Copy as CSV","Als CSV kopieren","Copier en CSV","Copiar como CSV","نسخ بصيغة CSV","העתקה כ־CSV","CSV としてコピー"],
  csv: ["The rows as CSV, to copy manually","Die Zeilen als CSV, von Hand zu kopieren","Les lignes en CSV, à copier à la main","Las filas en CSV, para copiar a mano","الصفوف بصيغة CSV للنسخ يدويًا","השורות כ־CSV, להעתקה ידנית","CSV の行（手動でコピー）"],
  none: ["No rows","Es gibt keine Zeilen","Il n’y a aucune ligne","No hay filas","لا توجد صفوف","אין שורות","行がありません"],
  unfound: ["No rows match “{filter}”","Keine Zeile enthält „{filter}“","Aucune ligne ne contient « {filter} »","Ninguna fila contiene «{filter}»","لا يوجد صف يحتوي على «{filter}»","אין שורה שמכילה את „{filter}”","「{filter}」を含む行はありません"],
  clear: ["Clear the filter","Filter löschen","Effacer le filtre","Quitar el filtro","مسح التصفية","ניקוי הסינון","絞り込みを解除"],
  yes: ["Yes","Ja","Oui","Sí","نعم","כן","はい"],
  no: ["No","Nein","Non","No","لا","לא","いいえ"],
} satisfies Words;
