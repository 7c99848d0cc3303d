// What JSX becomes in the pages; see ../build.mjs.
export { createElement as h, Fragment } from "preact";
