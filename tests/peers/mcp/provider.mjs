// A real authorization server, npm's `oidc-provider`, on a free port: it issues JWTs for the resource
// that is asked for, and opaque tokens to one client. Its keys can be replaced while it runs.

import { createServer } from "node:http";
import { SignJWT, exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";

// Its advice is for those who serve others with it.
console.info = console.warn = () => {};

export const SCOPES = ["widgets", "flights"];
/** Client credentials: for JWTs, for opaque tokens, and of the server that asks about those. */
export const PROGRAM = { id: "program", secret: "secret-of-the-program-0123456789" };
export const OPAQUE = { id: "opaque", secret: "secret-of-the-opaque-one-0123456789" };
export const SERVER = { id: "widgetcast server", secret: "secret of the server: 0123456789/" };

/** A key that signs, as JWK for the provider and as object for us. */
export async function newKey(kid, alg = "RS256") {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid, alg, use: "sig" };
  return { kid, alg, jwk, publicKey, privateKey };
}

/** A token that the provider would not issue. */
export function sign(key, claims, header = {}) {
  const jwt = new SignJWT(claims).setProtectedHeader({ alg: key.alg, typ: "at+jwt", kid: key.kid, ...header });
  return jwt.sign(key.privateKey);
}

const basic = ({ id, secret }) =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`;

export async function startProvider(keys) {
  let callback = (_, response) => response.writeHead(503).end();
  const http = createServer((request, response) => callback(request, response));
  await new Promise((done) => http.listen(0, "127.0.0.1", done));
  const issuer = `http://127.0.0.1:${http.address().port}`;
  const client = ({ id, secret }) => ({
    client_id: id,
    client_secret: secret,
    grant_types: ["client_credentials"],
    redirect_uris: [],
    response_types: [],
  });
  const use = (keys) => {
    const provider = new Provider(issuer, {
      clients: [PROGRAM, OPAQUE, SERVER].map(client),
      jwks: { keys: keys.map((key) => key.jwk) },
      scopes: ["openid", "offline_access", ...SCOPES],
      cookies: { keys: ["only for tests"] },
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
      features: {
        clientCredentials: { enabled: true },
        introspection: { enabled: true },
        revocation: { enabled: true },
        registration: { enabled: true },
        devInteractions: { enabled: true },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => undefined,
          useGrantedResource: () => true,
          getResourceServerInfo: (_, resource, client) => ({
            scope: SCOPES.join(" "),
            audience: resource,
            accessTokenTTL: 600,
            accessTokenFormat: client.clientId === OPAQUE.id ? "opaque" : "jwt",
            jwt: { sign: { alg: keys[0].alg } },
          }),
        },
      },
    });
    callback = provider.callback();
  };
  use(keys);

  const post = async (path, client, form) => {
    const headers = { authorization: basic(client), "content-type": "application/x-www-form-urlencoded" };
    const answer = await fetch(issuer + path, { method: "POST", headers, body: new URLSearchParams(form) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text ? JSON.parse(text) : {};
  };
  return {
    issuer,
    use,
    stop: () => http.close(),
    /** A token for a program itself. */
    token: async (client, resource, scope) => {
      const form = { grant_type: "client_credentials", resource, scope };
      return (await post("/token", client, form)).access_token;
    },
    revoke: (client, token) => post("/token/revocation", client, { token }),
  };
}

/** Signs in at the provider and agrees to everything, as a person would; gives the address that it ends at. */
export async function signIn(authorize, redirect, person = "ada") {
  const cookies = new Map();
  let url = new URL(authorize);
  let form;
  for (let step = 0; step < 20; step += 1) {
    const answer = await fetch(url, {
      method: form ? "POST" : "GET",
      body: form,
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name, value] = cookie.split(";")[0].split("=");
      cookies.set(name, value);
    }
    const text = await answer.text();
    form = undefined;
    const next = answer.headers.get("location");
    if (next) {
      url = new URL(next, url);
      if (url.href.startsWith(redirect)) return url;
      continue;
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
    if (!prompt) throw new Error(`${url}: ${answer.status} ${text.slice(0, 400)}`);
    form = new URLSearchParams({ prompt, login: person, password: "x" });
    url = new URL(/action="([^"]+)"/.exec(text)[1], url);
  }
  throw new Error("the provider does not come to an end");
}
