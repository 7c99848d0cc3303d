// The head of a column as users write it; its name stays what programs read.

/** Words that are written in capitals wherever they stand. */
const CAPITALS =
  /^(api|cpu|csv|eta|gpu|html|iban|id|ip|isbn|json|kpi|os|pdf|ram|roi|sku|sql|tv|ui|uri|url|utc|vat|xml|zip)(s?)$/i;

/** `createdAt`, `created_at` and `created-at` become `Created at`; what has spaces is left as it is. */
export function headOf(name: string): string {
  const words = /\s/.test(name.trim())
    ? [name.trim()]
    : name
        .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
        .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
        .split(/[\s_-]+|(?<=\p{L})\.(?=\p{L})/u)
        .filter(Boolean)
        .map((word, at) => (at && /^\p{Lu}\p{Ll}+$/u.test(word) ? word.toLowerCase() : word))
        .map((word) =>
          word.replace(CAPITALS, (_, known: string, s: string) => known.toUpperCase() + s),
        );
  const head = words.join(" ") || name;
  return head.replace(/^\p{Ll}/u, (first) => first.toUpperCase());
}
