import react from "@vitejs/plugin-react";
import widgetcast from "@widgetcast/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [
    react(),
    widgetcast({
      // While it runs, with a key that may do everything: `HELPDESK_KEY=… npm run build`.
      server: {
        name: "helpdesk",
        url: "http://127.0.0.1:8000/mcp",
        headers: { authorization: `Bearer ${process.env.HELPDESK_KEY}` },
      },
    }),
  ],
});
