export { agoText, dateText, timeOf } from "./date";
export {
  chooseLocale,
  directionOf,
  LANGUAGES,
  languageOf,
  type Say,
  safeLocale,
  say,
  speaker,
  type Text,
  translate,
  type Words,
} from "./language";
