"""What a turn costs: the official ChatKit server (openai-chatkit on uvicorn, threads in memory) and ours
(threads in SQLite), with the same responder, and the same conversation replayed by 32 clients at once.
Usage: cost.py PATH-OF-THE-EXAMPLE-golden [LEAST-RATIO-OF-CPU]"""

import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time

CLIENTS = 32
# Conversations of each client. Ours are more, because the clock of the kernel counts in hundredths.
ROUNDS = {"official": 6, "ours": 30}


async def serve(port):
    """The official server, behind as little as it can be."""
    import uvicorn
    from chatkit.server import NonStreamingResult
    from check import Files, Golden, Memory

    server = Golden(Memory(), Files())

    async def app(scope, receive, send):
        if scope["type"] != "http":
            return
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        start = {"type": "http.response.start", "status": 200}
        if scope["path"] == "/healthz":
            await send({**start, "headers": []})
            return await send({"type": "http.response.body", "body": b"ok"})
        result = await server.process(body, None)
        if isinstance(result, NonStreamingResult):
            await send({**start, "headers": [(b"content-type", b"application/json")]})
            return await send({"type": "http.response.body", "body": result.json})
        await send({**start, "headers": [(b"content-type", b"text/event-stream")]})
        async for frame in result:
            await send({"type": "http.response.body", "body": frame, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    config = uvicorn.Config(app, port=port, log_level="error", access_log=False, lifespan="off")
    await uvicorn.Server(config).serve()


class Client:
    """One person: a connection that stays, and what every turn took until its first event."""

    def __init__(self, port):
        self.port, self.cookie = port, ""
        self.first = []

    async def open(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def ask(self, type, params):
        body = json.dumps({"type": type, "params": params}).encode()
        head = (
            f"POST /chatkit HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\ncookie: {self.cookie}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        began, events, first = time.perf_counter(), b"", None
        self.writer.write(head.encode() + body)
        answer = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        if b" 200 " not in answer.split(b"\r\n")[0] or b"transfer-encoding: chunked" not in answer:
            raise SystemExit(f"{type}: {answer.decode()}")
        if b"set-cookie: " in answer:
            self.cookie = answer.split(b"set-cookie: ")[1].split(b";")[0].decode()
        while True:
            size = int(await self.reader.readuntil(b"\r\n"), 16)
            chunk = await self.reader.readexactly(size + 2)
            if not size:
                break
            first = first or time.perf_counter() - began
            events += chunk[:-2]
        self.first.append(first)
        frames = [frame for frame in events.split(b"\n\n") if frame]
        events = [json.loads(frame[len(b"data: ") :]) for frame in frames]
        if not events or events[-1]["type"] == "error":
            raise SystemExit(f"{type}: {events}")
        return events

    async def say(self, text, thread=None):
        content = [{"type": "input_text", "text": text}]
        input = {"content": content, "attachments": [], "inference_options": {}}
        if thread is None:
            return await self.ask("threads.create", {"input": input})
        return await self.ask("threads.add_user_message", {"thread_id": thread, "input": input})

    async def converse(self):
        thread = (await self.say("hello"))[0]["thread"]["id"]
        shown = await self.say("widget please", thread)
        widget = next(e["item"]["id"] for e in shown if e["type"] == "thread.item.added")
        await self.say("hello", thread)
        action = {"type": "send", "payload": {"a": 1}}
        await self.ask(
            "threads.custom_action", {"thread_id": thread, "item_id": widget, "action": action}
        )


def cpu(pid):
    """Seconds that a process has computed, with what the kernel did for it."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def is_there(port):
    for _ in range(600):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        except OSError:
            await asyncio.sleep(0.05)
    raise SystemExit("a server does not start")


async def measure(name, command, port):
    process = subprocess.Popen(command)
    try:
        await is_there(port)
        clients = [Client(port) for _ in range(CLIENTS)]
        for client in clients:
            await client.open()

        async def run(rounds):
            async def one(client):
                for _ in range(rounds):
                    await client.converse()

            await asyncio.gather(*(one(client) for client in clients))

        await run(1)
        for client in clients:
            client.first.clear()
        before = cpu(process.pid)
        await run(ROUNDS[name])
        spent, first = cpu(process.pid) - before, sorted(sum((c.first for c in clients), []))
    finally:
        process.kill()
        process.wait()
    median, p95 = statistics.median(first), first[len(first) * 95 // 100]
    print(
        f"{name:8} {len(first)} turns: {spent / len(first) * 1e6:.0f} µs of CPU each, "
        f"first event after {median * 1e3:.2f} ms (median), {p95 * 1e3:.2f} ms (p95)"
    )
    return spent / len(first), median, p95


async def main(program, least):
    port = free_port()
    official = await measure("official", [sys.executable, __file__, "--serve", str(port)], port)
    with tempfile.TemporaryDirectory() as dir:
        port = free_port()
        ours = await measure("ours", [program, str(port), f"sqlite:{dir}/chat.db"], port)
    cost, median, p95 = (theirs / own for theirs, own in zip(official, ours))
    print(f"official / ours: CPU {cost:.1f}, first event {median:.1f} (median), {p95:.1f} (p95)")
    if cost < least:
        raise SystemExit(f"a turn must cost {least:g} times less CPU than that of the official server")


if sys.argv[1] == "--serve":
    asyncio.run(serve(int(sys.argv[2])))
else:
    asyncio.run(main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 0))
