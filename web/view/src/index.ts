export type { Action, DrawOptions, Origin } from "./context";
export { clear, draw, drawFault } from "./draw";
export type { IconNode } from "./icon";
export { css } from "./style";
