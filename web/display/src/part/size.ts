import { type RefCallback, useCallback, useState } from "react";

/** The width of an element, and its ref; 0 until it is known. */
export function useWidth(): [RefCallback<HTMLElement>, number] {
  const [width, setWidth] = useState(0);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    setWidth(element.clientWidth);
    const watch = new ResizeObserver(() => setTimeout(() => setWidth(element.clientWidth)));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return [ref, width];
}
