// A Vite plugin for pages in MCP Apps hosts and in ChatGPT. `vite build` writes each page as one file,
// and refuses what its hosts would not load; `vite` serves the pages to `Page::dev` with hot reload.
// Both write the types of the server's tools.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Plugin, ResolvedConfig, UserConfig } from "vite";
import { ENTRY, entry, html, isReact, type Page } from "./document.js";
import { isDeclared, type Load, lineOf, METHODS, scriptLoads, styleLoads } from "./loads.js";
import { type Csp, type Description, describe, describeRunning, type Server } from "./server.js";
import { declare } from "./types.js";

export type { Csp, Server } from "./server.js";
export { declare, type Tool } from "./types.js";

export interface Options {
  /** The directory of the pages, or a list of files. A page has the name of its file. */
  pages?: string | string[];
  /** The server whose tools the pages call. */
  server?: Server;
  /** Output file for the types of its tools. */
  types?: string | false;
  /** The origins that each page may load from, if no server can be queried. */
  csp?: Record<string, Csp>;
}

const MODULE = /\.[cm]?[jt]sx?$/;
const PORT = 5173;

export default function widgetcast(options: Options = {}): Plugin {
  const { types = "tools.d.ts" } = options;
  const loads = new Map<string, Load[]>();
  let root = process.cwd();
  let pages: Page[] = [];
  let config: ResolvedConfig;
  let described: Promise<Description | undefined> | undefined;
  /** Pages whose allowed origins are not known yet, with their modules. */
  const unchecked: { page: Page; modules: string[] }[] = [];

  /** What the server says. One that says nothing is no reason to stop. */
  const describeServer = async (onFailure: (error: Error) => void) => {
    if (!options.server) return undefined;
    try {
      return await describe(options.server, root);
    } catch (error) {
      onFailure(error as Error);
      return undefined;
    }
  };
  /** The same, asked once. It may fail before all pages are built; see `buildApp`. */
  const ask = (): Promise<Description | undefined> => {
    described ??= describeServer(() => {});
    return described;
  };
  const writeTypes = (description: Description | undefined) => {
    if (!description || types === false) return;
    const [file, text] = [resolve(root, types), declare(description.tools)];
    const isNew = !existsSync(file) || readFileSync(file, "utf8") !== text;
    if (isNew) writeFileSync(file, text);
  };

  return {
    name: "widgetcast",

    config(user: UserConfig, { command }) {
      root = resolve(user.root ?? ".");
      pages = findPages(root, options.pages ?? "pages");
      return command === "build" ? buildConfig(pages, user) : devConfig(pages, user);
    },
    configResolved(resolved) {
      config = resolved;
    },

    // The entries of the pages.
    resolveId(id) {
      const name = id.startsWith(ENTRY) ? id.slice(ENTRY.length).replace(/\.js$/, "") : undefined;
      return pages.some((page) => page.name === name) ? `\0${ENTRY}${name}` : undefined;
    },
    load(id) {
      const page = pages.find(({ name }) => id === `\0${ENTRY}${name}`);
      if (!page) return undefined;
      const refreshes = config.plugins.some(({ name }) => name === "vite:react-refresh");
      const preamble = refreshes
        ? ["/@vite/client", "@vitejs/plugin-react/preamble"]
        : ["/@vite/client"];
      return entry(page, config.command === "serve" ? preamble : []);
    },

    configureServer(server) {
      const { httpServer } = server;
      httpServer?.once("listening", () => {
        const { port } = httpServer.address() as { port: number };
        const names = pages.map(({ name }) => name).join(", ");
        config.logger.info(`  pages: ${names}, for .dev("http://localhost:${port}")`);
      });
      // While users work on it the server may not run yet, or have other tools than before.
      const refresh = async () => {
        if (options.server?.url) writeTypes(await describeRunning(options.server));
      };
      const ignore = () => {};
      refresh().catch(ignore);
      server.watcher.on("change", () => refresh().catch(ignore));
    },

    async buildStart() {
      if (config.command === "build") writeTypes(await ask());
    },
    transform(code, id) {
      const file = id.replace(/\?.*/, "");
      if (config.command !== "build" || id.startsWith("\0")) return;
      if (/\.(css|less|s[ac]ss|styl)$/.test(file)) loads.set(id, styleLoads(code));
      else if (MODULE.test(file) && code.includes("//"))
        loads.set(id, scriptLoads(this.parse(code)));
    },

    generateBundle: {
      // After Vite has added the style sheet.
      order: "post",
      async handler(_, bundle) {
        const page = pages.find(({ name }) => environmentOf(name) === this.environment.name);
        if (!page) return;
        const files = Object.values(bundle);
        const chunks = files.filter((file) => file.type === "chunk");
        const styles = files.filter(({ fileName }) => fileName.endsWith(".css"));
        const strange = files.filter((file) => file.type === "asset" && !styles.includes(file));
        const [script] = chunks;
        if (!script || chunks.length > 1 || strange.length)
          this.error(`page ${page.name} does not fit into one file: ${Object.keys(bundle)}`);
        const csp = options.csp?.[page.name] ?? (await ask())?.csp.get(page.name);
        const modules = [...this.getModuleIds()];
        const wrong = csp ? undeclared(page, modules, csp) : [];
        if (wrong.length) this.error(wrong.join("\n"));
        if (!csp) unchecked.push({ page, modules });
        const style = styles.map((file) => ("source" in file ? String(file.source) : "")).join("");
        const source = html(page.name, script.code, style);
        for (const name of Object.keys(bundle)) delete bundle[name];
        this.emitFile({ type: "asset", fileName: `${page.name}.html`, source });
      },
    },

    buildApp: {
      order: "post",
      async handler() {
        // A server does not start while the file of a page is missing: with the first build of a page it
        // can be asked.
        let description = await ask();
        if (!description) {
          description = await describeServer(({ message }) =>
            config.logger.warn(`widgetcast: the types were not updated: ${message}`),
          );
          writeTypes(description);
        }
        for (const { page, modules } of unchecked) {
          const csp = description?.csp.get(page.name);
          const wrong = undeclared(page, modules, csp ?? {}).join("\n");
          if (wrong && csp) throw new Error(wrong);
          if (wrong) config.logger.warn(wrong);
        }
      },
    },
  };

  /** A message for each undeclared origin that the modules of a page load from. */
  function undeclared(page: Page, modules: string[], csp: Csp): string[] {
    const lines: string[] = [];
    for (const id of modules)
      for (const load of loads.get(id) ?? []) {
        if (isDeclared(load, csp)) continue;
        const file = id.replace(/\?.*/, "");
        const line = existsSync(file) ? lineOf(readFileSync(file, "utf8"), load.url) : undefined;
        const place = relative(root, file) + (line ? `:${line}` : "");
        const fix = `.${METHODS[load.list]}(["${load.origin}"])`;
        lines.push(
          `page ${page.name}: ${place} loads from ${load.origin}, which hosts will block: add ${fix} to its Page in Rust`,
        );
      }
    return [...new Set(lines)];
  }
}

/** The pages of a folder, or of a list of files. */
function findPages(root: string, given: string | string[]): Page[] {
  const inFolder = (folder: string) =>
    readdirSync(join(root, folder))
      .filter((file) => MODULE.test(file) && !/\.(d|test|spec)\.[cm]?[jt]sx?$/.test(file))
      .sort()
      .map((file) => `${folder}/${file}`);
  const files = typeof given === "string" ? inFolder(given) : given;
  if (!files.length) throw new Error(`widgetcast: no pages in ${given}`);
  const found = files.map((path) => {
    const file = path.replace(/^\.?\//, "");
    return { file, name: file.replace(/^.*\//, "").replace(MODULE, "") };
  });
  for (const { name, file } of found) {
    if (!/^[\w-]+$/.test(name))
      throw new Error(`widgetcast: ${file}: a page name may contain only letters, digits, - and _`);
    if (found.filter((page) => page.name === name).length > 1)
      throw new Error(`widgetcast: two pages are named ${name}`);
  }
  return found;
}

const environmentOf = (name: string) => `page_${name.replaceAll("-", "_0")}`;

/** Every page is built alone, so that none shares a file with another. */
function buildConfig(pages: Page[], user: UserConfig): UserConfig {
  const names = pages.map(({ name }) => environmentOf(name));
  return {
    environments: Object.fromEntries(
      pages.map(({ name }) => [
        environmentOf(name),
        {
          consumer: "client" as const,
          build: {
            outDir: user.build?.outDir ?? "dist",
            emptyOutDir: false,
            rolldownOptions: {
              input: `${ENTRY}${name}`,
              output: { codeSplitting: false },
              // To ask the server takes its time, and is no one's mistake.
              checks: { bundlerTimings: false },
            },
            assetsInlineLimit: () => true,
            cssCodeSplit: false,
            modulePreload: false,
            copyPublicDir: false,
          },
        },
      ]),
    ),
    builder: {
      // One plugin for all pages: the server is asked once.
      sharedConfigBuild: true,
      async buildApp(builder) {
        for (const name of names) {
          const environment = builder.environments[name];
          if (environment) await builder.build(environment);
        }
      },
    },
  };
}

/** Frames of hosts have no origin, and addresses in them are not relative to this server. */
function devConfig(pages: Page[], user: UserConfig): UserConfig {
  const port = user.server?.port ?? PORT;
  return {
    appType: "custom",
    // There is no HTML in which Vite would find what to prepare; what it found later it would load again,
    // next to the React that is there.
    optimizeDeps: {
      entries: pages.map(({ file }) => file),
      include: pages.some(isReact) ? ["react", "react-dom/client"] : [],
    },
    server: {
      port,
      strictPort: true,
      origin: user.server?.origin ?? `http://localhost:${port}`,
      cors: user.server?.cors ?? {
        origin: ["null", /^https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/],
      },
    },
  };
}
