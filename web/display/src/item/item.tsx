/** @jsxImportSource react */
// Things to look at: those that a tool gave, else six pizzas.

import { words } from "@widgetcast/i18n/display/item";
import { useMemo, useState } from "react";
import { useWords } from "../part/app";
import { type Fields, isRecord, textOf, texts } from "../part/list";
import { pictureUrl, webUrl } from "../part/url";
import { groundOf, Pizza, type Recipe } from "./pizza";

export interface Item {
  id: string;
  title: string;
  subtitle?: string | undefined;
  description?: string | undefined;
  tag?: string | undefined;
  url?: URL | undefined;
  picture?: string | undefined;
  alt: string;
  /** Of the ground on which what has no picture is drawn. */
  hue: number;
  /** Of the pizzas alone. */
  recipe?: Recipe;
}

const RECIPES: readonly Recipe[] = [
  {
    sauce: "#c8402c",
    hue: 95,
    toppings: [
      ["mozzarella", 9],
      ["basil", 7],
    ],
  },
  {
    sauce: "#b8331f",
    hue: 8,
    toppings: [
      ["salami", 12],
      ["pepper", 6],
    ],
  },
  {
    sauce: "#c65a35",
    hue: 35,
    toppings: [
      ["mushroom", 11],
      ["garlic", 5],
    ],
  },
  {
    sauce: "#e9c27a",
    hue: 48,
    toppings: [
      ["mozzarella", 8],
      ["blue", 8],
    ],
  },
  {
    sauce: "#c8402c",
    hue: 140,
    toppings: [
      ["tomato", 8],
      ["olive", 9],
      ["pepper", 6],
    ],
  },
  {
    sauce: "#b52d1c",
    hue: 200,
    toppings: [
      ["garlic", 9],
      ["olive", 6],
      ["basil", 4],
    ],
  },
];
const NAMES = ["Margherita", "Diavola", "Funghi", "Quattro formaggi", "Vegetariana", "Marinara"];
const TAGS = ["vegetarian", "hot", "vegetarian", "vegetarian", "vegetarian", "vegan"] as const;

const recipeAt = (at: number) => RECIPES[at % RECIPES.length] as Recipe;

export interface Data {
  title?: string | undefined;
  /** None: show the pizzas. */
  items?: Item[];
}

export const TAKES =
  "{ title?, items: { title, subtitle?, description?, badge?, url?, image?, alt? }[] }";

export function read({ title, items }: Fields): Data | undefined {
  const isItem = (one: unknown) =>
    isRecord(one) && (textOf(one.title) ?? textOf(one.name) ?? pictureUrl(one.image));
  if (!Array.isArray(items) || !items.every(isItem)) return undefined;
  return {
    title: textOf(title),
    items: items.map((one, at) => {
      const name = textOf(one.title) ?? textOf(one.name) ?? "–";
      return {
        id: `${textOf(one.id) ?? ""}-${at}`,
        title: name,
        subtitle: textOf(one.subtitle),
        description: textOf(one.description),
        tag: textOf(one.badge) ?? texts(one.tags)[0],
        url: webUrl(one.url),
        picture: pictureUrl(one.image),
        alt: textOf(one.alt) ?? "",
        hue: recipeAt(at).hue,
      };
    }),
  };
}

export function useItems(given: Item[] | undefined): Item[] {
  const say = useWords(words);
  return useMemo(
    () =>
      given ??
      NAMES.map((title, at) => ({
        id: title,
        title,
        subtitle: say(`with${at}` as "with0"),
        description: say(`story${at}` as "story0"),
        tag: say(TAGS[at] as "hot"),
        alt: "",
        hue: recipeAt(at).hue,
        recipe: recipeAt(at),
      })),
    [given, say],
  );
}

/** The item's own picture. Without one, or where a policy refuses its address, the first letter of its title. */
export function Picture({ item }: { item: Item }) {
  const [isLost, setLost] = useState(false);
  if (item.recipe) return <Pizza {...item.recipe} />;
  if (!item.picture || isLost)
    return (
      <svg
        className="pizza"
        viewBox="0 0 240 180"
        aria-hidden="true"
        style={{ background: groundOf(item.hue) }}
      >
        <text
          x="120"
          y="92"
          fontSize="64"
          textAnchor="middle"
          dominantBaseline="central"
          fill="currentColor"
          opacity=".45"
        >
          {[...item.title][0]}
        </text>
      </svg>
    );
  return (
    <img
      className="pizza"
      src={item.picture}
      alt={item.alt}
      loading="lazy"
      onError={() => setLost(true)}
    />
  );
}
