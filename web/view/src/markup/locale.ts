/** The writing direction of a locale. */
export function direction(locale = ""): "rtl" | "ltr" {
  return /^(ar|ckb|dv|fa|he|iw|ps|sd|ug|ur|yi)\b|-(arab|hebr)\b/i.test(locale) ? "rtl" : "ltr";
}
