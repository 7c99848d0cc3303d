// The official SDK 1.x. Tools with JSON Schema are the low-level Server's business (McpServer takes zod).
//
// Usage: sdk1.mjs DIR --stdio | sdk1.mjs DIR --http PORT [--stateless] [--json]
import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema, isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { load, options } from './core.mjs';

const { directory, port, flag } = options();
const widgets = load(directory);

function newServer() {
  const server = new Server({ name: 'widgets', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: widgets.tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => widgets.call(params.name, params.arguments));
  return server;
}

if (port === null) {
  await newServer().connect(new StdioServerTransport());
} else {
  const enableJsonResponse = flag('--json');
  const app = createMcpExpressApp();
  if (flag('--stateless')) {
    app.post('/mcp', async (req, res) => {
      const server = newServer();
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse });
      res.on('close', () => {
        transport.close();
        server.close();
      });
      await server.connect(transport);
      await transport.handleRequest(req, res, req.body);
    });
  } else {
    const sessions = new Map();
    app.post('/mcp', async (req, res) => {
      const id = req.headers['mcp-session-id'];
      let transport = id && sessions.get(id);
      if (!transport) {
        if (id || !isInitializeRequest(req.body)) {
          res.status(id ? 404 : 400).json({ jsonrpc: '2.0', error: { code: -32000, message: 'No session' }, id: null });
          return;
        }
        transport = new StreamableHTTPServerTransport({
          sessionIdGenerator: () => randomUUID(),
          enableJsonResponse,
          onsessioninitialized: (session) => sessions.set(session, transport),
        });
        transport.onclose = () => sessions.delete(transport.sessionId);
        await newServer().connect(transport);
      }
      await transport.handleRequest(req, res, req.body);
    });
  }
  app.listen(port, '127.0.0.1');
}
