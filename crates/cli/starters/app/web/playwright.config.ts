import { defineConfig } from "@playwright/test";

// A Chromium that is installed already, instead of Playwright's own.
const executablePath = process.env.CHROMIUM;

export default defineConfig({
  testDir: "tests",
  use: { launchOptions: executablePath ? { executablePath } : {} },
});
