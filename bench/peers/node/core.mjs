// What both SDKs share: a folder of .widget files, compiled once, and a call.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import nunjucks from 'nunjucks';

// nunjucks renders Studio templates but for one idiom, the slice of a string. It is replaced by a
// filter at load; a Jinja port that takes it as it is (@huggingface/jinja) needs 40 times the time.
const IDIOM = /\(_c\[1:\] if _c and _c\[0\] == ',' else _c\)/g;
const env = new nunjucks.Environment(null, { autoescape: false });
env.addFilter('tojson', (value) => JSON.stringify(value ?? null));
env.addFilter('without_comma', (value) => {
  const text = String(value);
  return text.startsWith(',') ? text.slice(1) : text;
});

const ajv = new Ajv2020({ allErrors: false, strict: false });
addFormats(ajv);

const toolName = (name) => {
  const clean = name.toLowerCase().replace(/[\s-]+/g, '_').replace(/[^a-z0-9_]/g, '');
  return /^\d/.test(clean) ? `_${clean}` : clean;
};

/** Loads a folder: `tools` for tools/list, `call(name, args)` for tools/call. */
export function load(directory) {
  const widgets = new Map();
  const tools = [];
  for (const file of readdirSync(directory).filter((f) => f.endsWith('.widget')).sort()) {
    const definition = JSON.parse(readFileSync(join(directory, file), 'utf8'));
    const name = toolName(definition.name);
    const { $schema, ...inputSchema } = definition.jsonSchema;
    tools.push({ name, description: definition.description ?? definition.name, inputSchema });
    // A template and a validator are compiled on the first call: with ten thousand widgets that is
    // what makes a start take one second instead of twenty.
    let compiled;
    widgets.set(name, () => (compiled ??= compile(definition, inputSchema)));
  }
  return { tools, call: (name, args) => call(widgets.get(name), name, args ?? {}) };
}

function compile(definition, schema) {
  const template = (text) => nunjucks.compile(text.replace(IDIOM, '_c | without_comma'), env, null, true);
  return {
    valid: ajv.compile(schema),
    template: template(definition.template),
    text: definition.copy_text ? template(definition.copy_text) : null,
  };
}

function call(get, name, args) {
  if (!get) return fault(`Unknown tool: ${name}`);
  const { valid, template, text } = get();
  if (!valid(args)) return fault(ajv.errorsText(valid.errors));
  const widget = JSON.parse(template.render(args));
  return {
    content: [{ type: 'text', text: text ? text.render(args) : JSON.stringify(widget) }],
    structuredContent: widget,
  };
}

const fault = (text) => ({ isError: true, content: [{ type: 'text', text }] });

/** `DIR --stdio` or `DIR --http PORT`, and flags. */
export function options(argv = process.argv.slice(2)) {
  const at = argv.indexOf('--http');
  return {
    directory: argv[0],
    port: at < 0 ? null : Number(argv[at + 1]),
    flag: (name) => argv.includes(name),
  };
}
