// The official SDK v2, revision 2026-07-28. The factory runs once a request, so the low-level Server:
// registering every widget on an McpServer for each request would cost time with the folder's size.
//
// Usage: v2.mjs DIR --stdio | v2.mjs DIR --http PORT [--express]
import { createServer } from 'node:http';
import { createMcpExpressApp } from '@modelcontextprotocol/express';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { Server, createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { load, options } from './core.mjs';

const { directory, port, flag } = options();
const widgets = load(directory);

function newServer() {
  const server = new Server({ name: 'widgets', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: widgets.tools }));
  server.setRequestHandler('tools/call', ({ params }) => widgets.call(params.name, params.arguments));
  return server;
}

if (port === null) {
  serveStdio(newServer);
} else {
  const handler = toNodeHandler(createMcpHandler(newServer));
  if (flag('--express')) {
    const app = createMcpExpressApp();
    app.post('/mcp', (req, res) => handler(req, res, req.body));
    app.listen(port, '127.0.0.1');
  } else {
    const host = localhostHostValidation();
    const origin = localhostOriginValidation();
    createServer((req, res) => {
      if (host(req, res) && origin(req, res)) void handler(req, res);
    }).listen(port, '127.0.0.1');
  }
}
