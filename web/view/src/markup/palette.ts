// Colour and size values of @openai/apps-sdk-ui (MIT, Copyright 2025 OpenAI; see ../../NOTICE).
// Each row is one hue: the steps below in order, six hex digits each.

import { pick } from "./prop";

const STEPS = [25, 50, 75, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950, 1000];
const HUES: Record<string, string> = {
  red: "fff0f0ffd9d9ffc6c5ffa4a2ff8583ff6764fa423ee02e2aba2623911e1b6e16154d100e280b0a1f0909",
  orange: "fff5f0ffe7d9ffcfb4ffb790ff9e6cff8549fb6a22e25507b9480d923b0f6d2e0f4a2206281105211107",
  yellow: "fffbedfff6d9ffeeb8ffe48cffdb66ffd240ffc300e0ac00ba8e00916f006e54004d3b00261d001a1400",
  green: "edfaf2d9f4e4b8ebcc8cdfad66d49240c97704b84c00a24000863500692a004f1f003716011c0b001207",
  blue: "f5faffe5f3ffcce6ff99ceff66b5ff339cff0285ff0169cc004f99003f7a01356600284d000e1a000d19",
  purple: "f9f5feefe5fee0cefdceb0fbbe95faad7bf9924ff78046d96b3ab4532d8d3f226a2c184a160c25100a19",
  pink: "fff4f9ffe8f3ffd4e8ffbadaffa3ceff8cc1ff66ade04c91ba437a963c676e2c4a4d1f3429101c1a0a11",
};

// Gray turns around in the dark: light and dark, two digits of a neutral each. Its steps are 50
// apart, and 25 at both ends.
const GRAY =
  "ff0dfc10f913f316ed18df1ccd21b928af309f398f41764f5d5d4f76418f399f30af28b921cd1cdc18ed16f313f310f90dff";

const neutral = (at: number) => `#${GRAY.slice(at, at + 2).repeat(3)}`;

function gray(step: number): string | undefined {
  let at = 0;
  for (let s = 0; s <= 1000; s += s < 100 || s >= 900 ? 25 : 50) {
    if (s === step) return `light-dark(${neutral(at)},${neutral(at + 2)})`;
    at += 4;
  }
  return undefined;
}

/** `blue-400`, `gray-900`, `alpha-10` as a CSS colour. */
export function primitive(name: string): string | undefined {
  const [, hue, digits] = /^([a-z]+)-(\d+)$/.exec(name) ?? [];
  const step = Number(digits);
  if (hue === "gray") return gray(step);
  if (hue === "alpha" && step <= 100) {
    return `light-dark(rgb(13 13 13/${step}%),rgb(255 255 255/${step}%))`;
  }
  const at = STEPS.indexOf(step) * 6;
  const row = pick(HUES, hue);
  return row && at >= 0 ? `#${row.slice(at, at + 6)}` : undefined;
}
