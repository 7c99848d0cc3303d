/** @jsxImportSource react */

import { type ButtonHTMLAttributes, type MouseEvent, type ReactNode, useState } from "react";
import { isValid } from "../../../view/src/markup/box";
import { buttonIconSize, buttonKind, renderButton } from "../../../view/src/markup/button";
import type { ComponentProps } from "../../../view/src/markup/component-props";
import { useForm } from "./form-context";
import { glyph, type IconLike } from "./icon";
import { rooted } from "./root";
import { nativeOf } from "./token";

export interface ButtonProps
  extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "color" | "onClick">,
    Pick<
      ComponentProps["Button"],
      "variant" | "color" | "size" | "iconSize" | "pill" | "block" | "uniform"
    > {
  iconStart?: IconLike | undefined;
  iconEnd?: IconLike | undefined;
  /** Shows a pending state and ignores clicks. A promise returned by `onClick` does the same. */
  pending?: boolean | undefined;
  /** `submit` submits the enclosing form. */
  type?: "button" | "submit" | undefined;
  onClick?: ((event: MouseEvent<HTMLButtonElement>) => unknown) | undefined;
  children?: ReactNode;
}

/** Runs a function and says whether the promise that it gave is still pending. */
export function usePending(): [pending: boolean, run: (what: () => unknown) => void] {
  const [pending, setPending] = useState(false);
  const run = (what: () => unknown) => {
    const given = what();
    if (!(given instanceof Promise)) return;
    setPending(true);
    const done = () => setPending(false);
    // Not `finally`: a rejection stays with the promise of the page.
    given.then(done, done);
  };
  return [pending, run];
}

export const Button = /* @__PURE__ */ rooted<HTMLButtonElement, ButtonProps>(
  "Button",
  ({ children, pending = false, type, onClick, iconStart, iconEnd, ...props }, ref) => {
    const form = useForm();
    const [isRunning, run] = usePending();
    const submits = type === "submit";
    const isBusy = pending || isRunning || (submits && form?.pending === true);
    const size = buttonIconSize({ ...props });
    const isBare = children === undefined || children === null;
    return renderButton(
      buttonKind({ ...props }, submits, isBare),
      [glyph(iconStart, size), isBare ? "" : children, glyph(iconEnd, size)],
      isBusy,
      {
        ...nativeOf(props),
        ref,
        "data-submit": submits || undefined,
        onClick: (event: MouseEvent<HTMLButtonElement>) => {
          if (isBusy) return;
          if (onClick) run(() => onClick(event));
          if (!submits || event.defaultPrevented || !isValid(event)) return;
          const element = event.currentTarget.closest("form");
          if (element) form?.submit(element);
        },
      },
    );
  },
);
