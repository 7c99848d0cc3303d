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
  type Words,
} from "./language";
