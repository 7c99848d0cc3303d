export { inWords } from "./action";
export type { Action, DrawOptions, Origin } from "./context";
export { clear, draw, drawFault } from "./draw";
export { Icon } from "./icon";
export { type IconNode, renderDrawing } from "./markup/icon";
export { Markdown, type MarkdownOptions } from "./markup/markdown";
export { words } from "./markup/prop";
export { css, fitCss } from "./markup/style";
export { url } from "./markup/token";
