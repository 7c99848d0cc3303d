// The outer frame of a view, at another origin than the page. It makes the inner frame, which has no origin
// and inherits the policy of this document, and passes messages between the view and the page. What only a
// proxy may say (`ui/notifications/sandbox-…`, `widgetcast/…`) is not taken from a view.

const PREFIX = "ui/notifications/sandbox-";
const OWN = "widgetcast/";
/** Blocked by the policy; a method of our own, between this frame and the page. */
const REFUSED = `${OWN}refused`;
const MOST = 20;

// In the inner frame, before the view: only the document that breaks a policy is told.
const watch = `<script>addEventListener("securitypolicyviolation",e=>parent.postMessage({refused:{directive:e.effectiveDirective,address:e.blockedURI}},"*"));document.currentScript.remove()</script>`;

let inner: HTMLIFrameElement | undefined;
let told = 0;
const send = (method: string, params: unknown) =>
  parent.postMessage({ jsonrpc: "2.0", method, params }, "*");

function start(html: string): void {
  inner?.remove();
  inner = document.createElement("iframe");
  inner.title = "View";
  inner.setAttribute("sandbox", "allow-scripts");
  const doctype = /^\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? "";
  inner.srcdoc = doctype + watch + html.slice(doctype.length);
  document.body.append(inner);
}

function fromView(data: Record<string, unknown>): void {
  const { refused } = data;
  if (typeof refused === "object" && refused !== null) {
    const { directive, address } = refused as Record<string, unknown>;
    if (told++ < MOST)
      send(REFUSED, {
        directive: String(directive).slice(0, 60),
        address: String(address).slice(0, 300),
      });
    return;
  }
  const method = String(data.method);
  if (data.jsonrpc === "2.0" && !method.startsWith(PREFIX) && !method.startsWith(OWN))
    parent.postMessage(data, "*");
}

/** A frame of another colour scheme than the document around it is not transparent. */
function follow(theme: unknown): void {
  if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme;
}

addEventListener("message", ({ source, data }) => {
  if (typeof data !== "object" || data === null) return;
  if (source === parent) {
    follow(data.params?.theme);
    if (data.method === `${PREFIX}resource-ready`) start(String(data.params?.html));
    else inner?.contentWindow?.postMessage(data, "*");
  } else if (inner && source === inner.contentWindow) fromView(data);
});
send(`${PREFIX}proxy-ready`, {});
