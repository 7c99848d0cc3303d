// What `#react` is in the pages: the part of React that the view uses, by Preact. The build of
// @widgetcast/react puts React itself in its place.
export { createElement, Fragment } from "preact";
export * from "preact/hooks";
