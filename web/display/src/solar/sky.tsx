/** @jsxImportSource react */
// The image: the sun, orbits seen from the side, planets that can be clicked. It moves by writing
// attributes, not by rendering: sixty times a second a tree would be compared for nothing.

import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { type Label, placed } from "./label";
import { angleAt, PLANETS, type Planet } from "./planet";

interface Props {
  label: string;
  names: Record<Planet["key"], string>;
  chosen: Planet["key"] | undefined;
  /** Days per second; 0 stands still. */
  speed: number;
  isNarrow: boolean;
  /** There is more height than a card has. */
  isTall: boolean;
  start: number;
  onChoose(planet: Planet["key"]): void;
  onTime(time: number): void;
}

// Random positions, the same on every load.
const STARS = Array.from({ length: 90 }, (_, at) => ({
  x: ((at * 7919) % 1009) - 504,
  y: ((at * 6133) % 907) - 453,
  r: 0.6 + ((at * 31) % 10) / 9,
}));

/** Of a name, in pixels, however large the picture is drawn. */
const [PLAIN, CHOSEN] = [12, 13];
/** Nearer to the sun, in pixels, names would come and go with every turn of less than so many days. */
const [CROWDED, QUICK] = [90, 1000];
const DAY = 86_400_000;

export function Sky(props: Props) {
  const { label, names, chosen, speed, isNarrow, isTall, start, onChoose, onTime } = props;
  const root = useRef<SVGSVGElement>(null);
  const time = useRef(start);
  const [size, setSize] = useState({ width: 0, height: 0 });
  // A narrow one has room for half a name next to the outermost planet.
  const [tilt, grow, width, height] = isNarrow
    ? [0.8, 1.9, 1120, 896]
    : isTall
      ? [0.72, 1.4, 1020, 740]
      : [0.46, 1.25, 1020, 500];
  const [sun, glow] = isNarrow ? [34, 84] : [28, 74];

  // How many pixels a unit is: the whole image is seen, with room at two sides.
  const scale = Math.min((size.width || width) / width, (size.height || height) / height);

  useLayoutEffect(() => {
    const { current: svg } = root;
    if (!svg) return;
    const measure = () => setSize({ width: svg.clientWidth, height: svg.clientHeight });
    const watch = new ResizeObserver(() => setTimeout(measure));
    watch.observe(svg);
    measure();
    return () => watch.disconnect();
  }, []);

  useEffect(() => {
    const places = [...(root.current?.querySelectorAll<SVGGElement>("[data-planet]") ?? [])];
    const texts = places.map((one) => one.querySelector("text") as SVGTextElement);
    const labels: Label[] = PLANETS.map(({ key, orbit, radius, year }, at) => ({
      radius: radius * grow * scale,
      width: (texts[at]?.getComputedTextLength() ?? 0) * scale,
      height: key === chosen ? CHOSEN : PLAIN,
      rank:
        key === chosen
          ? Number.POSITIVE_INFINITY
          : year < QUICK && orbit * scale < CROWDED
            ? 0
            : orbit,
    }));
    const draw = () => {
      const points = PLANETS.map((planet) => {
        const angle = angleAt(planet, time.current);
        const x = Math.cos(angle) * planet.orbit;
        // Seen from the north they go against the clock, and the page's y runs downwards.
        return { x, y: -Math.sin(angle) * planet.orbit * tilt };
      });
      const names = placed(
        labels,
        points.map(({ x, y }) => ({ x: x * scale, y: y * scale })),
        size,
        glow * scale,
      );
      points.forEach(({ x, y }, at) => {
        places[at]?.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
        const name = names[at];
        texts[at]?.setAttribute("visibility", name ? "visible" : "hidden");
        if (!name) return;
        texts[at]?.setAttribute("x", (name.x / scale - x).toFixed(2));
        texts[at]?.setAttribute("y", (name.y / scale - y).toFixed(2));
      });
    };
    draw();
    if (!speed) return;
    let last: number | undefined;
    let told = 0;
    let frame = requestAnimationFrame(function step(now) {
      // A page that was hidden goes on where it stopped.
      time.current += Math.min(now - (last ?? now), 100) * 0.001 * speed * DAY;
      last = now;
      draw();
      if (now - told > 250) {
        told = now;
        onTime(time.current);
      }
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [speed, tilt, grow, glow, scale, size, chosen, names, onTime]);

  return (
    <svg
      ref={root}
      className="sky"
      viewBox={`${-width / 2} ${-height / 2} ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <defs>
        <radialGradient id="sun">
          <stop offset="0" stopColor="#fff8d8" />
          <stop offset=".45" stopColor="#ffd34d" />
          <stop offset="1" stopColor="#f08a1c" />
        </radialGradient>
        <radialGradient id="glow">
          <stop offset="0" stopColor="#ffcf5a" stopOpacity=".55" />
          <stop offset="1" stopColor="#ffcf5a" stopOpacity="0" />
        </radialGradient>
        {PLANETS.map(({ key, colors }) => (
          <radialGradient id={key} key={key} cx=".35" cy=".3" r=".9">
            <stop offset="0" stopColor={colors[0]} />
            <stop offset="1" stopColor={colors[1]} />
          </radialGradient>
        ))}
      </defs>
      <g fill="#fff">
        {STARS.map(({ x, y, r }) => (
          <circle key={x} cx={x} cy={y} r={r} opacity={0.25 + r / 4} />
        ))}
      </g>
      <g fill="none" stroke="#fff">
        {PLANETS.map(({ key, orbit }) => (
          <ellipse
            key={key}
            rx={orbit}
            ry={orbit * tilt}
            strokeOpacity={key === chosen ? 0.75 : 0.2}
            strokeWidth={isNarrow ? 2 : 1.2}
          />
        ))}
      </g>
      <circle r={glow} fill="url(#glow)" />
      <circle r={sun} fill="url(#sun)" />
      {PLANETS.map(({ key, radius }) => {
        const r = radius * grow;
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: the list of planets is for the keyboard
          <g key={key} data-planet={key} className="planet" onClick={() => onChoose(key)}>
            <circle r={Math.max(r + 8, isNarrow ? 36 : 20)} fill="transparent" />
            {key === chosen && (
              <circle r={r + 7} fill="none" stroke="#fff" strokeWidth={isNarrow ? 3.5 : 2} />
            )}
            <circle r={r} fill={`url(#${key})`} />
            {key === "saturn" && (
              <ellipse
                rx={r * 1.9}
                ry={r * 0.5}
                fill="none"
                stroke="#e8d5a0"
                strokeWidth={r * 0.22}
                transform="rotate(-16)"
                opacity=".9"
              />
            )}
            {key === "earth" && <circle cx={r + 5} cy={-r * 0.6} r={r * 0.25} fill="#ddd" />}
            <text
              className={key === chosen ? "now" : ""}
              fontSize={(key === chosen ? CHOSEN : PLAIN) / scale}
            >
              {names[key]}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
