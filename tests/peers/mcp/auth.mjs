// Who may call: our server with a real authorization server, npm's `oidc-provider`.
//
//     node auth.mjs [binary]
//
// Tokens that are good and tokens that are wrong in each way, keys that are replaced and taken back,
// and the official clients in TypeScript and Python, which find the provider, register, sign a person
// in (code with PKCE) and call. The last line is the sum.

import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { UnsecuredJWT, exportSPKI } from "jose";
import { OPAQUE, PROGRAM, SERVER, newKey, sign, signIn, startProvider } from "./provider.mjs";
import { Tally, binary, brief, finish, freePort, here, must, root, sleep, start, widget } from "./server.mjs";

const run = promisify(execFile);
const TOOL = "flight_tracker";
const REDIRECT = "http://127.0.0.1:9/callback";
const seconds = () => Math.floor(Date.now() / 1000);

/** The gallery behind the provider: one tool needs a scope of its own, and perhaps another is public. */
async function serve(provider, dir, name, more = "") {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/mcp`;
  const made = await run(binary, ["key", "nightly", "--scope", "flights"]);
  const config = join(dir, `${name}.toml`);
  writeFileSync(
    config,
    `[auth]
issuer = "${provider.issuer}"
audience = "${url}"
keys_max_age = 1
keys_pause = 0
[auth.introspection]
client_id = ${JSON.stringify(SERVER.id)}
client_secret = ${JSON.stringify(SERVER.secret)}
ttl = 1
[access.${TOOL}]
scopes = ["flights"]
${more}
${made.stdout}`,
  );
  const command = [binary, "serve", "--http", `127.0.0.1:${port}`, "--config", config, "--log", "trace"];
  const server = await start(command, { port });
  return { ...server, url, key: /(wck_\S+)/.exec(made.stderr)[1] };
}

/** One request as a client without a session writes it. */
function send(url, { token, tokens = token ? [token] : [], method = "tools/list", params = {} } = {}) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = ["content-type", "application/json", "accept", "application/json, text/event-stream"];
  for (const one of tokens) headers.push("Authorization", `Bearer ${one}`);
  headers.push("host", new URL(url).host, "content-length", String(Buffer.byteLength(body)));
  return new Promise((done, fail) => {
    const asked = request(url, { method: "POST", headers }, (answer) => {
      let text = "";
      answer.on("data", (part) => (text += part));
      answer.on("end", () =>
        done({ status: answer.statusCode, challenge: answer.headers["www-authenticate"] ?? "", json: JSON.parse(text) }),
      );
    });
    asked.once("error", fail);
    asked.end(body);
  });
}

const call = (tool) => ({ method: "tools/call", params: { name: tool, arguments: {} } });

/** An answer must have this status, and a challenge with these parts and no error beyond them. */
function expect(answer, status, error) {
  must(answer.status === status, `${answer.status} instead of ${status}: ${brief(answer.json)}`);
  if (status === 200) return must(!answer.json.error, brief(answer.json));
  must(answer.challenge.startsWith("Bearer "), `no challenge: ${answer.challenge}`);
  must(/resource_metadata="http[^"]+\/\.well-known\/oauth-protected-resource\/mcp"/.test(answer.challenge), answer.challenge);
  const said = /error="([^"]*)"/.exec(answer.challenge)?.[1];
  must(said === error, `error ${said} instead of ${error}: ${answer.challenge}`);
}

async function tokens(tally, provider, server, one) {
  const { url } = server;
  const two = await newKey("two");
  const stranger = await newKey("stranger");
  const claims = { iss: provider.issuer, aud: url, sub: "ada", scope: "widgets", exp: seconds() + 600, iat: seconds() };
  const { sample } = widget(join(root, "crates/cli/widgets"), TOOL);
  const seen = [server.key];
  const check = (name, status, error, make, options = {}) =>
    tally.check(name, async () => {
      const token = await make();
      seen.push(token);
      expect(await send(url, { token, ...options }), status, error);
    });
  const wrong = (name, make) => check(name, 401, "invalid_token", make);
  const signed = (change, key = one, header) => () => sign(key, { ...claims, ...change }, header);

  await tally.check("no token", async () => expect(await send(url), 401, undefined));
  await check("of the provider", 200, undefined, () => provider.token(PROGRAM, url, "widgets"));
  await check("good", 200, undefined, signed({}));
  await check("good, of the older type", 200, undefined, signed({}, one, { typ: "JWT" }));
  await check("good, for several", 200, undefined, signed({ aud: ["https://b.example", url] }));
  await check("expired a moment ago", 200, undefined, signed({ exp: seconds() - 5 }));
  await wrong("expired", signed({ exp: seconds() - 60 }));
  await wrong("without an end", signed({ exp: undefined }));
  await wrong("too early", signed({ nbf: seconds() + 120 }));
  await wrong("of another audience", signed({ aud: "https://b.example/mcp" }));
  await wrong("for the whole origin", signed({ aud: new URL(url).origin }));
  await wrong("without an audience", signed({ aud: undefined }));
  await wrong("of another issuer", signed({ iss: "https://b.example" }));
  await wrong("of the provider, for another", () => provider.token(PROGRAM, "https://b.example/mcp", "widgets"));
  await wrong("algorithm none", () => new UnsecuredJWT(claims).encode());
  const hs256 = (secret, header) => () => {
    const head = { alg: "HS256", typ: "at+jwt", kid: "one", ...header };
    const message = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    return `${message}.${createHmac("sha256", secret).update(message).digest("base64url")}`;
  };
  const pem = await exportSPKI(one.publicKey);
  await wrong("HS256 with the public key as PEM", hs256(pem));
  await wrong("HS256 with the modulus", hs256(Buffer.from(one.jwk.n, "base64url")));
  await wrong("HS256 that says RS256", hs256(pem, { alg: "RS256" }));
  await wrong("an unknown key", signed({}, stranger));
  await wrong("another key under a known name", signed({}, stranger, { kid: "one" }));
  await wrong("a key in the token itself", signed({}, stranger, { jwk: { kty: "RSA", n: stranger.jwk.n, e: stranger.jwk.e } }));
  await wrong("a token of another kind", signed({}, one, { typ: "logout+jwt" }));
  await wrong("bound to a key", signed({ cnf: { jkt: "x" } }));
  await wrong("changed on its way", async () => {
    const [head, , signature] = (await signed({})()).split(".");
    const other = Buffer.from(JSON.stringify({ ...claims, sub: "eve" })).toString("base64url");
    return [head, other, signature].join(".");
  });
  await wrong("no token at all", () => "nonsense");

  await tally.check("a token in the address", async () => {
    const token = await signed({})();
    expect(await send(`${url}?access_token=${token}`), 401, undefined);
    expect(await send(`${url}?access_token=${token}`, { token }), 400, "invalid_request");
  });
  await tally.check("two headers", async () => {
    const token = await signed({})();
    expect(await send(url, { tokens: [token, token] }), 400, "invalid_request");
  });
  await check("a scope is missing", 403, "insufficient_scope", signed({}), call(TOOL));
  await tally.check("the challenge names the scope", async () => {
    const answer = await send(url, { token: await signed({})(), ...call(TOOL) });
    must(answer.challenge.includes('scope="flights"'), answer.challenge);
  });
  await check("the scope is there", 200, undefined, signed({ scope: "flights" }), call(TOOL));
  await check("the scope is in a list", 200, undefined, signed({ scope: undefined, scp: ["flights"] }), call(TOOL));
  await check("a key of the file", 200, undefined, () => server.key, call(TOOL));

  const opaque = await provider.token(OPAQUE, url, "widgets");
  await check("opaque", 200, undefined, () => opaque);
  await wrong("opaque, for another", () => provider.token(OPAQUE, "https://b.example/mcp", "widgets"));
  await tally.check("opaque, taken back", async () => {
    await provider.revoke(OPAQUE, opaque);
    await until(async () => (await send(url, { token: opaque })).status === 401);
  });

  // The provider has a new key, and still the old one.
  const old = await signed({})();
  provider.use([two, one]);
  await check("a new key", 200, undefined, () => provider.token(PROGRAM, url, "widgets"));
  await check("the old key beside it", 200, undefined, () => old);
  provider.use([two]);
  await tally.check("a key that is taken back", async () => {
    await until(async () => (await send(url, { token: old })).status === 401);
    expect(await send(url, { token: old }), 401, "invalid_token");
  });
  await check("what the new key has signed", 200, undefined, signed({}, two));

  await tally.check("metadata", async () => {
    for (const path of ["", "/mcp"]) {
      const answer = await fetch(`${new URL(url).origin}/.well-known/oauth-protected-resource${path}`);
      const found = await answer.json();
      must(found.resource === url && found.authorization_servers[0] === provider.issuer, brief(found));
      must(found.scopes_supported.includes("flights"), brief(found));
    }
  });
  await tally.check("widgetcast call", async () => {
    const token = await signed({ scope: "flights" }, two)();
    const args = ["call", TOOL, "--server", url, "--data", JSON.stringify(sample)];
    const flag = await run(binary, [...args, "--bearer", token]);
    must(flag.stdout.length > 20, flag.stdout);
    const variable = await run(binary, args, { env: { ...process.env, WIDGETCAST_TOKEN: token } });
    must(variable.stdout === flag.stdout, variable.stdout);
    const types = await run(binary, ["types", url, "--bearer", token]);
    must(types.stdout.includes(TOOL), types.stdout);
    const without = await run(binary, args).catch((error) => error);
    must(without.stderr.includes("--bearer"), without.stderr);
  });
  await tally.check("no token is logged", () => {
    const log = server.log();
    must(log.length > 0, "nothing is logged");
    for (const token of seen) {
      for (const part of token.split(".").filter(Boolean)) must(!log.includes(part), `in the log: ${brief(part)}`);
    }
  });
  provider.use([one]);
}

async function until(done) {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(100)) if (await done()) return;
  throw new Error("it did not happen within a minute");
}

/** What a program keeps while a person signs in. */
class Memory {
  redirectUrl = REDIRECT;
  clientMetadata = {
    client_name: "peers",
    application_type: "native",
    redirect_uris: [REDIRECT],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  asked = [];
  clientInformation = () => this.client;
  saveClientInformation = (client) => (this.client = client);
  tokens = () => this.kept;
  saveTokens = (tokens) => (this.kept = tokens);
  redirectToAuthorization = (url) => this.asked.push(url);
  saveCodeVerifier = (verifier) => (this.verifier = verifier);
  codeVerifier = () => this.verifier;
  saveDiscoveryState = (state) => (this.discovered = state);
  discoveryState = () => this.discovered;
}

/** Goes to the provider whenever the client asks for it, and tries again. */
async function withSignIn(transport, memory, attempt) {
  for (let round = 0; round < 3; round += 1) {
    const before = memory.asked.length;
    try {
      return await attempt(transport());
    } catch (error) {
      if (memory.asked.length === before) throw error;
      const end = await signIn(memory.asked.at(-1), REDIRECT);
      must(end.searchParams.get("code"), end.href);
      const finishing = transport();
      await finishing.finishAuth(end.searchParams.get("code"), end.searchParams.get("iss") ?? undefined);
    }
  }
  throw new Error("the client asks again and again");
}

async function clients(tally, server) {
  const kinds = [
    ["typescript 1", OldHttp, () => new OldClient({ name: "peers", version: "1.0.0" })],
    ["typescript 2, legacy", NewHttp, () => new NewClient({ name: "peers", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } })],
    ["typescript 2, auto", NewHttp, () => new NewClient({ name: "peers", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } })],
  ];
  for (const [name, Http, newClient] of kinds) {
    await tally.check(`${name}: finds the provider, registers, signs in, calls`, async () => {
      const memory = new Memory();
      const transport = () => new Http(new URL(server.url), { authProvider: memory });
      const listed = await withSignIn(transport, memory, async (http) => {
        const client = newClient();
        await client.connect(http);
        const { tools } = await client.listTools();
        const result = await client.callTool({ name: TOOL, arguments: {} });
        await client.close();
        return { tools, result };
      });
      const tool = listed.tools.find((tool) => tool.name === TOOL);
      must(tool._meta.securitySchemes[0].scopes.includes("flights"), brief(tool));
      must(listed.result.content.length > 0, brief(listed.result));
      must(memory.asked[0].searchParams.get("code_challenge_method") === "S256", memory.asked[0].href);
      must(memory.asked[0].searchParams.get("resource") === server.url, memory.asked[0].href);
    });
  }
  await tally.check("python: finds the provider, registers, signs in, calls", async () => {
    const python = join(root, "target/venv/bin/python");
    const { stdout } = await run(python, [join(here, "auth.py"), server.url, REDIRECT, TOOL], { timeout: 60_000 });
    must(stdout.trim() === "good", stdout);
  });
}

async function publicTools(tally, server) {
  await tally.check("public tools need no token", async () => {
    expect(await send(server.url, call("weather_current")), 200);
    expect(await send(server.url), 200);
  });
  await tally.check("scoped tools beside them do", async () => expect(await send(server.url, call(TOOL)), 401, undefined));
  await tally.check("a wrong token is refused also there", async () =>
    expect(await send(server.url, { token: "nonsense", ...call("weather_current") }), 401, "invalid_token"),
  );
  await tally.check("ChatGPT is told in the result", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "openai-mcp", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { ...call(TOOL).params, _meta: meta };
    const headers = {
      "content-type": "application/json", accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": TOOL,
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const answer = await fetch(server.url, { method: "POST", headers, body });
    const { result } = await answer.json();
    must(answer.status === 200 && result.isError, `${answer.status} ${brief(result)}`);
    must(result._meta["mcp/www_authenticate"][0].includes('scope="flights"'), brief(result));
  });
}

const dir = mkdtempSync(join(tmpdir(), "widgetcast-auth-"));
process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
const one = await newKey("one");
const provider = await startProvider([one]);
const parts = [new Tally("tokens"), new Tally("clients"), new Tally("public tools")];
const closed = await serve(provider, dir, "closed");
await tokens(parts[0], provider, closed, one);
await closed.stop();
const fresh = await serve(provider, dir, "fresh");
await clients(parts[1], fresh);
await fresh.stop();
const mixed = await serve(provider, dir, "mixed", "[access.weather_current]\npublic = true");
await publicTools(parts[2], mixed);
await mixed.stop();
for (const part of parts) console.log(part.line());
provider.stop();
finish("auth.mjs", parts);
