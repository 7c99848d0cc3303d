import { type RefCallback, useCallback, useState } from "react";

/** The width of an element in rem, because larger text needs more room, and its ref; 0 until known. */
export function useWidth(): [RefCallback<HTMLElement>, number] {
  const [width, setWidth] = useState(0);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const measure = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      setWidth(element.clientWidth / rem);
    };
    measure();
    const watch = new ResizeObserver(() => setTimeout(measure));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return [ref, width];
}
