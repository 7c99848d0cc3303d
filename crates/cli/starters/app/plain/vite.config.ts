import widgetcast from "@widgetcast/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [
    widgetcast({
      // The running server, or else a command that starts one to query its tools.
      server: {
        name: "APP_NAME",
        url: "http://127.0.0.1:8000/mcp",
        command: "cargo run --quiet -- --stdio",
        cwd: "..",
      },
    }),
  ],
});
