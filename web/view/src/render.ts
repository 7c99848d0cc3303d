// The one place where an element that is typed for React is Preact's.

import { type ComponentChild, render as renderPreact } from "preact";
import type { ReactNode } from "react";

export const render = (node: ReactNode, root: HTMLElement): void =>
  renderPreact(node as ComponentChild, root);
