// What a user chose to see: which hosts, how, and under which conditions. One reader checks it, whether
// it comes from this browser's storage or from someone's link.

import { directionOf } from "@widgetcast/i18n";
import { type Dict, isDict, type Json } from "@widgetcast/schema";
import type { Theme } from "@widgetcast/theme";
import { FIRST_HOSTS, type Host, hostOf } from "./hosts";

/** Every condition, with its values; the first is the default. */
export const CONDITIONS = {
  theme: ["page", "host", "light", "dark"],
  locale: [
    "en-US",
    "de-DE",
    "fr-FR",
    "es-MX",
    "pt-BR",
    "ja-JP",
    "zh-CN",
    "hi-IN",
    "ar-EG",
    "he-IL",
  ],
  direction: ["locale", "ltr", "rtl"],
  device: ["host", "320", "390", "600", "768", "1024"],
  area: ["none", "phone"],
  mode: ["inline", "fullscreen", "pip"],
  motion: ["full", "reduced"],
  outcome: ["result", "slow", "failing", "cancelled", "partial"],
  meta: ["kept", "stripped"],
} as const;

export type Condition = keyof typeof CONDITIONS;
export type Conditions = { [K in Condition]: (typeof CONDITIONS)[K][number] };
export const CONDITION_NAMES = Object.keys(CONDITIONS) as Condition[];

export interface Play {
  hosts: string[];
  /** Side by side, or the one of this name. */
  only: string | undefined;
  conditions: Conditions;
}

export const DEFAULT_CONDITIONS = Object.fromEntries(
  CONDITION_NAMES.map((name) => [name, CONDITIONS[name][0]]),
) as Conditions;
export const DEFAULT_PLAY: Play = {
  hosts: FIRST_HOSTS,
  only: undefined,
  conditions: DEFAULT_CONDITIONS,
};

/** The conditions that are not as they are at first. */
export function changed(conditions: Conditions): Dict {
  const names = CONDITION_NAMES.filter((name) => conditions[name] !== CONDITIONS[name][0]);
  return Object.fromEntries(names.map((name) => [name, conditions[name]]));
}

export const writePlay = ({ hosts, only, conditions }: Play): Dict => ({
  hosts,
  ...(only ? { only } : {}),
  ...changed(conditions),
});

/** Reads what `writePlay` wrote; the error says what is wrong. */
export function readPlay(value: Json | undefined): Play {
  if (!isDict(value)) throw new Error("it must be an object");
  const { hosts, only, ...rest } = value;
  if (!Array.isArray(hosts)) throw new Error("hosts is missing");
  const known = [...new Set(hosts)].map((id) => {
    if (typeof id !== "string" || !hostOf(id)) throw new Error(`unknown host ${quote(id)}`);
    return id;
  });
  if (only !== undefined && (typeof only !== "string" || !known.includes(only)))
    throw new Error(`${quote(only)} is not one of its hosts`);
  const conditions: Dict = { ...DEFAULT_CONDITIONS };
  for (const [name, wanted] of Object.entries(rest)) {
    const values: readonly string[] | undefined = Object.hasOwn(CONDITIONS, name)
      ? CONDITIONS[name as Condition]
      : undefined;
    if (!values) throw new Error(`unknown option ${quote(name)}`);
    if (typeof wanted !== "string" || !values.includes(wanted))
      throw new Error(`${name} cannot be ${quote(wanted)}`);
    conditions[name] = wanted;
  }
  return { hosts: known, only, conditions: conditions as Conditions };
}

const quote = (value: Json): string => JSON.stringify(value).slice(0, 40);

export const themeOf = (host: Host, { theme }: Conditions, page: Theme): Theme =>
  theme === "page" ? page : theme === "host" ? host.look.theme : theme;

/** The locale for a view. A script is how a locale says the direction of what is written in it. */
export function localeOf({ locale, direction }: Conditions): string {
  const isRtl = directionOf(locale) === "rtl";
  if (direction === "locale" || (direction === "rtl") === isRtl) return locale;
  return locale.replace(/-.*/, isRtl ? "-Latn" : "-Arab");
}

export const widthOf = (host: Host, { device }: Conditions): number =>
  device === "host" ? host.width : Number(device);

export const modeOf = (host: Host, { mode }: Conditions): "inline" | "fullscreen" | "pip" =>
  host.modes.includes(mode) ? mode : "inline";

/** The insets of a phone with rounded corners, held upright. */
export const insetsOf = ({ area }: Conditions): Dict =>
  area === "phone"
    ? { top: 47, right: 0, bottom: 34, left: 0 }
    : { top: 0, right: 0, bottom: 0, left: 0 };
