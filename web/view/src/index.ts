export { clear, draw, drawFault } from "./draw";
export type { IconNode } from "./icon";
export { css } from "./style";
export type { Action, Origin, Stage } from "./world";
