// A second opinion on the metadata of MCP Apps: the schema of the official package.
//
// Usage: node apps/check.mjs <file>, a JSON list of {name, tool, contents}: a tool's `_meta` and the
// content item that reading its page gives back. Each `_meta.ui` must fit, to the letter.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import Ajv from "ajv/dist/2020.js";

const require = createRequire(import.meta.url);
const schema = require("@modelcontextprotocol/ext-apps/schema.json");

const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema(schema, "apps");
const rule = (name) => ajv.compile({ $ref: `apps#/$defs/${name}` });
const [toolMeta, resourceMeta] = [rule("McpUiToolMeta"), rule("McpUiResourceMeta")];

const cases = JSON.parse(readFileSync(process.argv[2], "utf8"));
let faults = 0;
const fail = (name, words) => {
  faults += 1;
  console.error(`${name}: ${words}`);
};
for (const { name, tool, contents } of cases) {
  if (!toolMeta(tool.ui)) fail(name, `tool _meta.ui: ${ajv.errorsText(toolMeta.errors)}`);
  if (!resourceMeta(contents._meta.ui)) fail(name, `page _meta.ui: ${ajv.errorsText(resourceMeta.errors)}`);
  if (contents.mimeType !== "text/html;profile=mcp-app") fail(name, `type ${contents.mimeType}`);
  if (tool.ui.resourceUri !== contents.uri) fail(name, "the tool names another page");
}
if (cases.length === 0) fail("all", "there is nothing to check");
console.log(`apps: ${cases.length - faults} passed, ${faults} failed`);
process.exit(faults ? 1 : 0);
