//! Views for the tools of any MCP server.

mod auto;
