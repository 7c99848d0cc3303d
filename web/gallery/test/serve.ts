// The real binary with a directory of its own, for one test. With GALLERY_SOURCES set the page is not
// the one in the binary but the one in the sources.

import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
// @ts-expect-error: plain JavaScript, to be run by itself
import { freePort, proxy } from "./server.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
export const binary = resolve(process.env.WIDGETCAST_BIN ?? join(root, "target/debug/widgetcast"));

export interface Served {
  url: string;
  dir: string;
  close(): void;
}

export function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "widgetcast-gallery-"));
  cpSync(join(root, "crates/cli/widgets"), dir, { recursive: true });
  return dir;
}

/** The gallery's widgets again and again under new names. */
export function largeFolder(count: number): string {
  const dir = mkdtempSync(join(tmpdir(), "widgetcast-gallery-"));
  const files = readdirSync(join(root, "crates/cli/widgets")).filter((name) =>
    name.endsWith(".widget"),
  );
  const parsed = files.map((name) =>
    JSON.parse(readFileSync(join(root, "crates/cli/widgets", name), "utf8")),
  );
  for (let index = 0; index < count; index++) {
    const widget = parsed[index % parsed.length];
    const name = `${widget.name} ${index}`;
    writeFileSync(join(dir, `w${index}.widget`), JSON.stringify({ ...widget, name }));
  }
  return dir;
}

export async function serve(dir: string, more: string[] = []): Promise<Served> {
  if (!existsSync(binary)) throw new Error(`there is no ${binary}; build it or set WIDGETCAST_BIN`);
  const clean = () => rmSync(dir, { recursive: true, force: true });
  const port = await freePort();
  const child = spawn(binary, ["serve", dir, "--watch", "--http", `127.0.0.1:${port}`, ...more], {
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  const close = () => {
    child.kill();
    clean();
  };
  for (let tries = 0; tries < 1200; tries++) {
    const answer = await fetch(`${url}/gallery/index.json`).catch(() => undefined);
    if (answer?.ok && !process.env.GALLERY_SOURCES) return { url, dir, close };
    if (answer?.ok) {
      const front = await proxy(port);
      const both = () => {
        front.close();
        close();
      };
      return { url: front.url, dir, close: both };
    }
    if (answer) {
      close();
      throw new Error(
        `${binary} answers ${answer.status} to GET /gallery/index.json: it was built without the gallery`,
      );
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  close();
  throw new Error(`${binary} did not begin to serve within a minute`);
}
