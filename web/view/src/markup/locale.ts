/** The writing direction of a locale. */
export function direction(locale = ""): "rtl" | "ltr" {
  // A script that is named says more than the language.
  return /^(ar|ckb|dv|fa|he|iw|ps|sd|ug|ur|yi)\b(?!.*-latn)|-(arab|hebr)\b/i.test(locale)
    ? "rtl"
    : "ltr";
}
