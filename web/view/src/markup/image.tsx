/** @jsxImportSource #jsx */
// Images. One that is missing, refused or blocked by the frame's policy becomes a placeholder with
// its alternative text.

import type { CSSProperties } from "react";
import { useState } from "#react";
import { squareImage } from "../../icon-drawings";
import { attributes, type Native } from "./element";
import { renderDrawing } from "./icon";
import { flags, type Given, match, text } from "./prop";
import { background, block, image, put } from "./token";

export function Image({
  props,
  dark,
  native,
}: {
  props: Given<"Image">;
  dark: boolean;
  native?: Native;
}) {
  const [broken, setBroken] = useState<string>();
  const src = image(props.src);
  const style = block(props);
  const { width, height } = style;
  put(style, "background", background(props.background, dark));
  const square = typeof props.size === "number" ? " wc-square" : "";
  const name = `wc-image${square}${width || height ? "" : " wc-wide"}${flags(props, "frame", "flush")}`;
  const alt = text(props.alt);

  if (!src || broken === src) {
    const small = [width, height].some((side) => Number.parseFloat(side ?? "") < 96);
    const named = alt ? { role: "img" as const, "aria-label": alt } : { "aria-hidden": true };
    return (
      <span className={`${name} wc-void`} style={style as CSSProperties} {...named}>
        {renderDrawing(squareImage, 16)}
        {!small && <span>{alt}</span>}
      </span>
    );
  }
  put(style, "objectFit", match(props.fit, /^(cover|contain|fill|scale-down|none)$/));
  const places = /^((top|bottom)( (left|right))?|left|right|center)$/;
  put(style, "objectPosition", match(props.position, places));
  return (
    <img
      {...attributes({ className: name, style }, native)}
      src={src}
      alt={alt}
      referrerPolicy="no-referrer"
      onError={() => setBroken(src)}
    />
  );
}
