import widgetcast from "@widgetcast/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [
    widgetcast({
      // The server that runs, else one that is started to be asked about its tools.
      server: {
        name: "APP_NAME",
        url: "http://127.0.0.1:8000/mcp",
        command: "cargo run --quiet -- --stdio",
        cwd: "..",
      },
    }),
  ],
});
