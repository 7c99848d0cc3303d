import { render } from "preact";
import { App } from "./app";

const root = document.querySelector("#app");
if (root) render(<App />, root);
