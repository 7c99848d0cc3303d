import { render } from "preact";
import { markDocument } from "./place";
import { App } from "./ui/app";

markDocument();
render(<App />, document.getElementById("app") as HTMLElement);
