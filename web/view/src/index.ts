export type { Action, DrawOptions, Origin } from "./context";
export { clear, draw, drawFault } from "./draw";
export type { IconNode } from "./markup/icon";
export { css } from "./markup/style";
