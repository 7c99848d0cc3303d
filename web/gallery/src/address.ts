// What the page loads from next to its documented endpoints. These paths are not among the literals that all
// pages share: no other page asks for them.

import { GALLERY_INDEX } from "@widgetcast/client/wire";
import { base } from "./base";

const under = (name: string): string => base() + GALLERY_INDEX.replace(/[^/]+$/, name);

/** The outer frame of a view. */
export const framePath = (): string => under("frame");
/** Microsoft's renderer of Adaptive Cards. */
export const cardsPath = (): string => under("cards.js");
/** The schemas of messages. */
export const schemasPath = (): string => under("schemas.js");
export const iconsPath = (): string => under("icons.tsv");
export const componentsPath = (): string => under("components.json");
