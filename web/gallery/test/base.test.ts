import assert from "node:assert/strict";
import { test } from "node:test";
import { baseOf, endpointOf } from "../src/base";

test("an app that is nested is asked at its own path", () => {
  assert.equal(baseOf("/"), "");
  assert.equal(baseOf("/mcp"), "/mcp");
  assert.equal(baseOf("/tools/mcp/"), "/tools/mcp");
  assert.equal(endpointOf("/", "/mcp"), "/mcp");
  assert.equal(endpointOf("/tools/mcp", "/mcp"), "/tools/mcp");
});
