import { type RefObject, useEffect, useRef } from "react";
import { usePlace } from "./app";

/**
 * The ref of a list that shows, in a picture in the corner, only those of its children that end within
 * it: there is no room to scroll there, and half a line looks broken. `onFit` is told how many these are.
 */
export function useFit<E extends HTMLElement>(
  onFit?: (count: number) => void,
): RefObject<E | null> {
  const list = useRef<E>(null);
  const { mode } = usePlace();
  // Not a layout effect: the styles of a mode are there after all of those.
  useEffect(() => {
    const { current } = list;
    if (mode !== "pip" || !current) return;
    const show = () => {
      const all = [...current.children] as HTMLElement[];
      for (const one of all) one.hidden = false;
      return all;
    };
    const fit = () => {
      const end = innerHeight - Number.parseFloat(getComputedStyle(document.body).paddingBottom);
      const places = show().map((one) => ({ one, place: one.getBoundingClientRect() }));
      const top = places[0]?.place.top ?? 0;
      // The first line stays, however high it is.
      for (const { one, place } of places) one.hidden = place.bottom > end + 1 && place.top > top;
      onFit?.(places.filter(({ one }) => !one.hidden).length);
    };
    fit();
    addEventListener("resize", fit);
    return () => {
      removeEventListener("resize", fit);
      show();
    };
  });
  return list;
}
