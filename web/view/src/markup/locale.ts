/** The writing direction of a locale. */
export function direction(locale = ""): "rtl" | "ltr" {
  // A script that is named says more than the language: Latn, Arab, Aran, Hebr.
  return /^(ar|ckb|dv|fa|he|iw|ps|sd|ug|ur|yi)\b(?!-lat)|-(ara|heb)/i.test(locale) ? "rtl" : "ltr";
}
