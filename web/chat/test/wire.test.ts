import assert from "node:assert/strict";
import { test } from "node:test";
import { sizeText, uploadFault, uploadFile } from "../src/upload";
import { createWire, ownPath, readEvents, WireError } from "../src/wire";
import { eventsOf, streamOf } from "./recorded";

const notice = (message: string) => JSON.stringify({ type: "notice", level: "info", message });
const messages = async (text: string, size?: number) =>
  (await eventsOf(text, size)).map((event) => ("message" in event ? event.message : event.type));

test("events, whatever pieces they come in", async () => {
  const text = `: hello\n\ndata: ${notice("ä→😀")}\n\nevent: x\nid: 1\ndata:${notice("b")}\n\n`;
  for (const size of [1, 2, 3, 50, 1000])
    assert.deepEqual(await messages(text, size), ["ä→😀", "b"]);
  const crlf = `data: ${notice("a")}\r\n\r\ndata: ${notice("b")}\r\n\r\n`;
  for (const size of [1, 5, 1000]) assert.deepEqual(await messages(crlf, size), ["a", "b"]);
  const split = `data: {"type":"notice",\ndata: "message":"two lines"}\n\n`;
  assert.deepEqual(await messages(split), ["two lines"]);
  assert.deepEqual(await messages(`data: ${notice("no blank line at the end")}`), [
    "no blank line at the end",
  ]);
});

test("what is no event is left out", async () => {
  const text = `data: {"type":\n\ndata: 7\n\ndata: null\n\ndata: ${notice("good")}\n\n`;
  assert.deepEqual(await messages(text), ["good"]);
});

test("a connection that ends before the stream is an error, after what it brought", async () => {
  const source = streamOf(`data: ${notice("a")}\n\ndata: {"ty`).getReader();
  const broken = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await source.read();
      if (done) controller.error(new TypeError("network error"));
      else controller.enqueue(value);
    },
  });
  const got: unknown[] = [];
  await assert.rejects(
    async () => {
      for await (const event of readEvents(broken)) got.push(event);
    },
    (error: WireError) => error.isLost,
  );
  assert.equal(got.length, 1);
});

test("who stops to read closes the connection", async () => {
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode(`data: ${notice("a")}\n\n`)),
    cancel() {
      isCancelled = true;
    },
  });
  for await (const _ of readEvents(endless)) break;
  assert.ok(isCancelled);
});

function answering(status: number, body: string) {
  const calls: [string, RequestInit][] = [];
  const wire = createWire("/chatkit", async (path, init = {}) => {
    calls.push([String(path), init]);
    return new Response(body, { status });
  });
  return { wire, calls };
}

test("requests", async () => {
  const { wire, calls } = answering(200, '{"data":[{"name":"a"}]}');
  await wire.ask("threads.get_by_id", { thread_id: "t" });
  assert.equal(calls[0]?.[0], "/chatkit");
  assert.deepEqual(calls[0]?.[1].headers, { "content-type": "application/json" });
  assert.deepEqual(JSON.parse(String(calls[0]?.[1].body)), {
    type: "threads.get_by_id",
    params: { thread_id: "t" },
  });
  assert.deepEqual(await wire.commands("a b&c"), [{ name: "a" }]);
  assert.equal(calls[1]?.[0], "/chatkit/commands?q=a%20b%26c");
  assert.deepEqual(await answering(200, "{}").wire.search("x"), []);
});

test("refusals have the server's words if it has some", async () => {
  const cases: [number, string, string][] = [
    [404, '{"error":{"message":"No such thread"}}', "No such thread"],
    [400, '{"error":"Bad"}', "Bad"],
    [422, '{"detail":"Odd"}', "Odd"],
    [403, "Not you", "Not you"],
    [500, "<html>Error</html>", ""],
    [500, '{"error":{}}', ""],
  ];
  for (const [status, body, message] of cases)
    await assert.rejects(
      answering(status, body).wire.ask("threads.delete", { thread_id: "t" }),
      (error: WireError) => error.status === status && error.message === message && !error.isLost,
    );
  const away = createWire("/chatkit", () => Promise.reject(new TypeError("Failed to fetch")));
  await assert.rejects(away.commands(""), (error: WireError) => error.isLost);
  await assert.rejects(answering(503, "").wire.commands(""), (error: WireError) => error.isLost);
});

const PAGE = "https://a.example/x/chat#t";

test("addresses of this server, by whatever scheme it thinks it is reached", () => {
  assert.equal(ownPath("http://a.example/b?c", PAGE), "/b?c");
  assert.equal(ownPath("/b", PAGE), "/b");
  assert.equal(ownPath("https://b.example/b", PAGE), "https://b.example/b");
});

test("files", async () => {
  const calls: string[] = [];
  const upload = (status: number) =>
    createWire("/chatkit", async (path, init = {}) => {
      calls.push(`${init.method} ${path} ${init.method === "PUT" ? "" : init.body}`.trim());
      if (init.method === "PUT") return new Response("{}", { status });
      const upload_descriptor = {
        url: "http://a.example/up/1",
        method: "PUT",
        headers: { "x-a": "b" },
      };
      return new Response(
        JSON.stringify({ type: "file", id: "1", name: "a.txt", upload_descriptor }),
      );
    });
  const file = new File(["hello"], "a.txt");
  assert.deepEqual(await uploadFile(upload(200), file, PAGE), {
    type: "file",
    id: "1",
    name: "a.txt",
  });
  assert.match(calls[0] ?? "", /"size":5,"mime_type":"application\/octet-stream"/);
  assert.equal(calls[1], "PUT /up/1");
  await assert.rejects(uploadFile(upload(413), file, PAGE));
  assert.match(calls.at(-1) ?? "", /attachments.delete/, "what was announced is taken back");

  const words = {
    tooLarge: (name: string, size: string) => `${name} ${size}`,
    badType: (name: string) => `type ${name}`,
    failed: (name: string) => `failed ${name}`,
  };
  const fault = (error: unknown) => uploadFault(error, file, "en", words);
  assert.equal(fault(new WireError(413)), "a.txt 5 byte");
  assert.equal(fault(new WireError(413, "At most 3 bytes")), "a.txt: At most 3 bytes");
  assert.equal(fault(new WireError(415)), "type a.txt");
  assert.equal(fault(new TypeError("x")), "failed a.txt");
  assert.equal(sizeText(3_400_000, "de"), "3,4 MB");
});
