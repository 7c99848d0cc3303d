/** An address that may be opened, or nothing. */
export function webUrl(value: unknown): URL | undefined {
  if (typeof value !== "string" || !/^(https?:\/\/|mailto:)/i.test(value.trim())) return undefined;
  try {
    return new URL(value.trim());
  } catch {
    return undefined;
  }
}

/** An address that a picture may have; where the policy refuses it, the page draws its own. */
export const pictureUrl = (value: unknown): string | undefined =>
  typeof value === "string" &&
  /^(https:\/\/|data:image\/(png|jpe?g|gif|webp|avif|svg\+xml)[;,])/i.test(value)
    ? value
    : undefined;

/** The name of the site, as people read it. */
export const siteOf = ({ hostname, pathname, protocol }: URL): string =>
  protocol === "mailto:" ? pathname : hostname.replace(/^www\./, "");
