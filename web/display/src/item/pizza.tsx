/** @jsxImportSource react */
// Pizzas, drawn. Toppings lie along a sunflower spiral, which looks strewn and never overlaps much.

import type { ReactNode } from "react";

const SHAPES: Record<string, ReactNode> = {
  salami: (
    <>
      <circle r="8" fill="#b4362a" />
      <circle r="8" fill="none" stroke="#8e2419" strokeWidth="1.2" />
      <g fill="#d9685a">
        <circle cx="-2.5" cy="-2" r="1.1" />
        <circle cx="3" cy="1" r="1.2" />
        <circle cx="-1" cy="3.6" r=".9" />
      </g>
    </>
  ),
  basil: (
    <>
      <path d="M0-9C7-5 7 4 0 9-7 4-7-5 0-9" fill="#3f8f3a" />
      <path d="M0-7V7" stroke="#2d6e2b" strokeWidth="1" />
    </>
  ),
  mozzarella: <path d="M-8 1C-9-6 0-10 5-6 11-2 8 7 1 8-4 9-8 6-8 1" fill="#fff7e6" />,
  mushroom: (
    <>
      <path d="M-8 1C-8-9 8-9 8 1 4 3-4 3-8 1" fill="#d8c3a5" stroke="#a98d68" />
      <path d="M-2 2h4v6c-1 2-3 2-4 0z" fill="#efe2cc" stroke="#a98d68" />
    </>
  ),
  olive: <circle r="4" fill="none" stroke="#2f3340" strokeWidth="3.4" />,
  pepper: (
    <path
      d="M-8-3C-6 6 6 6 8-3"
      fill="none"
      stroke="#e0a21b"
      strokeWidth="3.4"
      strokeLinecap="round"
    />
  ),
  tomato: (
    <>
      <circle r="7" fill="#d8412f" />
      <path d="M0-5V5M-5 0H5" stroke="#f08a72" strokeWidth="2" strokeLinecap="round" />
    </>
  ),
  garlic: <path d="M-5 3C-5-4-1-6 0-7 1-6 5-4 5 3 2 5-2 5-5 3" fill="#f6ead2" stroke="#c9b48c" />,
  blue: <path d="M-6-3 5-5 7 4-5 5z" fill="#f3efe0" stroke="#7f9bb3" strokeDasharray="2 3" />,
};

export interface Recipe {
  sauce: string;
  toppings: readonly (readonly [shape: keyof typeof SHAPES & string, count: number])[];
  /** The plate's colour, a hue of the colour wheel. */
  hue: number;
}

const GOLDEN = 2.399963;

export const groundOf = (hue: number) => `light-dark(hsl(${hue} 48% 91%), hsl(${hue} 22% 24%))`;

export function Pizza({ sauce, toppings, hue }: Recipe) {
  const all = toppings.flatMap(([shape, count], kind) =>
    Array.from({ length: count }, (_, at) => ({ shape, kind, at, count })),
  );
  return (
    <svg
      className="pizza"
      viewBox="0 0 240 180"
      preserveAspectRatio="xMidYMid meet"
      aria-hidden="true"
      style={{ background: groundOf(hue) }}
    >
      <g transform="translate(120 92)">
        <ellipse cy="8" rx="80" ry="78" fill="#0002" />
        <circle r="78" fill="#d99a4e" />
        <circle r="78" fill="none" stroke="#b87632" strokeWidth="2.5" />
        <circle
          r="74"
          fill="none"
          stroke="#efc078"
          strokeWidth="3"
          strokeDasharray="14 22 30 9"
          opacity=".8"
        />
        <circle r="66" fill={sauce} />
        <circle r="63" fill="#f5cf73" opacity=".72" />
        {all.map(({ shape, kind, at, count }) => {
          const angle = at * GOLDEN + kind * 1.9;
          const far = 54 * Math.sqrt((at + 0.6) / count);
          const [x, y] = [Math.cos(angle) * far, Math.sin(angle) * far];
          const turn = (at * 137 + kind * 61) % 360;
          return (
            <g
              key={`${shape}${at}`}
              transform={`translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn})`}
            >
              {SHAPES[shape]}
            </g>
          );
        })}
      </g>
    </svg>
  );
}
