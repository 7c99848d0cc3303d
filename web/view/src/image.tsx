// Images. One that is missing, refused or blocked by the frame's policy becomes a placeholder with
// its alternative text.

import { useState } from "preact/hooks";
import type { Part } from "./context";
import { Icon } from "./icon";
import { flags, match, text } from "./prop";
import { background, block, image, put } from "./token";

export function Image({ props, context }: Part) {
  const [broken, setBroken] = useState<string>();
  const src = image(props.src);
  const style = block(props);
  const { width, height } = style;
  put(style, "background", background(props.background, context.dark));
  const name = `wc-image${width || height ? "" : " wc-wide"}${flags(props, "frame", "flush")}`;
  const alt = text(props.alt);

  if (!src || broken === src) {
    const small = [width, height].some((side) => Number.parseFloat(side ?? "") < 96);
    const named = alt ? { role: "img" as const, "aria-label": alt } : { "aria-hidden": true };
    return (
      <span class={`${name} wc-void`} style={style} {...named}>
        <Icon name="square-image" size={16} />
        {!small && <span>{alt}</span>}
      </span>
    );
  }
  put(style, "objectFit", match(props.fit, /^(cover|contain|fill|scale-down|none)$/));
  const places = /^((top|bottom)( (left|right))?|left|right|center)$/;
  put(style, "objectPosition", match(props.position, places));
  return (
    <img
      class={name}
      style={style}
      src={src}
      alt={alt}
      referrerpolicy="no-referrer"
      onError={() => setBroken(src)}
    />
  );
}
