// The planets. Orbits and sizes on the page are drawn to be seen, not to scale; the numbers are real.

export interface Planet {
  key: "mercury" | "venus" | "earth" | "mars" | "jupiter" | "saturn" | "uranus" | "neptune";
  /** Half the width of its orbit and its own radius, on the page. */
  orbit: number;
  radius: number;
  colors: readonly [light: string, dark: string];
  /** Where it was on 1 January 2000 at noon, in degrees, and how many days it takes round the sun. */
  longitude: number;
  year: number;
  /** Kilometres. */
  diameter: number;
  /** Kilometres, in millions. */
  distance: number;
  /** Hours for one turn. */
  day: number;
  moons: number;
}

type Line = [Planet["key"], ...number[]];

const LINES: readonly [Line, string, string][] = [
  [["mercury", 70, 5, 252.25, 87.97, 4_879, 57.9, 1407.6, 0], "#cfc6bd", "#7d7268"],
  [["venus", 105, 8, 181.98, 224.7, 12_104, 108.2, 5832.5, 0], "#f3d9a4", "#b98b45"],
  [["earth", 146, 8.5, 100.46, 365.26, 12_756, 149.6, 23.9, 1], "#79b8f2", "#1f5fa8"],
  [["mars", 188, 6.5, 355.43, 686.98, 6_792, 228, 24.6, 2], "#f09a72", "#a3442a"],
  [["jupiter", 255, 19, 34.4, 4332.6, 142_984, 778.5, 9.9, 97], "#f0d6b4", "#a9784c"],
  [["saturn", 328, 15, 49.94, 10_759, 120_536, 1432, 10.7, 274], "#f3e2b3", "#b59a58"],
  [["uranus", 396, 11, 313.23, 30_687, 51_118, 2867, 17.2, 29], "#c4f0f2", "#5aa3ad"],
  [["neptune", 458, 11, 304.88, 60_190, 49_528, 4515, 16.1, 16], "#8fb0ff", "#2f4fb5"],
];

export const PLANETS: readonly Planet[] = LINES.map(([[key, ...numbers], light, dark]) => {
  const [orbit, radius, longitude, year, diameter, distance, day, moons] = numbers as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    key,
    orbit,
    radius,
    longitude,
    year,
    diameter,
    distance,
    day,
    moons,
    colors: [light, dark],
  };
});

const DAY = 86_400_000;
const J2000 = Date.UTC(2000, 0, 1, 12);

/** Where a planet is, in radians; its mean place, which is right within a few degrees. */
export const angleAt = ({ longitude, year }: Planet, time: number): number =>
  ((longitude / 360 + (time - J2000) / DAY / year) % 1) * 2 * Math.PI;
