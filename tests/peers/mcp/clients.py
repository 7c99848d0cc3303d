"""The official Python client against our server: every way to open a connection.

Usage: clients.py [binary]; else $WIDGETCAST, else target/debug/widgetcast. Asks the same as
clients.mjs, with a client that shares no code with those. One line per combination; the last line
is the sum.
Needs: pip install mcp==2.3.0
"""

import json
import logging
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import anyio
import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters
from mcp.client import advertise
from mcp.client.stdio import stdio_client

ROOT = Path(__file__).resolve().parents[3]
BINARY = os.environ.get("WIDGETCAST") or (sys.argv[1] if sys.argv[1:] else str(ROOT / "target/debug/widgetcast"))

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
PAGE = "text/html;profile=mcp-app"
WIDGET = "application/vnd.ui.widget+json"
UI = "io.modelcontextprotocol/ui"
TOOL = "flight_tracker"
TEMPLATE = "ui://widgets/{name}/{instance_id}"
PATIENCE = 60  # seconds that an edited file may take to be served

MATRIX = [
    (mode, version, transport)
    for mode, version in [("auto", MODERN), (MODERN, MODERN), ("legacy", LEGACY)]
    for transport in ["http", "stdio"]
]


def must(condition, words):
    if not condition:
        raise AssertionError(str(words)[:400])


def same(got, want, what):
    must(got == want, f"{what}: {got!r} instead of {want!r}")


class Tally:
    def __init__(self, title):
        self.title, self.passed, self.failed = title, 0, 0

    @contextmanager
    def check(self, name):
        """Counts what happens inside; a throw is a fault, and the next check goes on."""
        try:
            yield
            self.passed += 1
        except Exception as error:
            self.failed += 1
            while isinstance(error, BaseExceptionGroup):
                error = error.exceptions[0]
            print(f"  {self.title}: {name}: {type(error).__name__}: {error}", file=sys.stderr)


@contextmanager
def gallery():
    """A copy of the gallery that may be edited."""
    with tempfile.TemporaryDirectory(prefix="widgetcast-peers-") as place:
        yield Path(shutil.copytree(ROOT / "crates/cli/widgets", place, dirs_exist_ok=True))


def describe(directory, description, in_place):
    """Gives the widget a new description: in place, or by renaming over it, as editors do."""
    path = directory / f"{TOOL}.widget"
    text = json.dumps(json.loads(path.read_text()) | {"description": description}, indent=2)
    if in_place:
        path.write_text(text)
    else:
        path.with_suffix(".new").write_text(text)
        path.with_suffix(".new").rename(path)


def answers(url):
    try:
        with urllib.request.urlopen(url) as answer:
            return answer.status == 200
    except (urllib.error.URLError, ConnectionError):
        return False


@contextmanager
def served(directory):
    """The server on a free port; gives the address of its endpoint."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{probe.getsockname()[1]}"
    with tempfile.TemporaryFile("w+") as log:
        child = subprocess.Popen(
            [BINARY, "serve", str(directory), "--http", host, "--watch"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
        )
        try:
            end = time.monotonic() + 60
            while not answers(f"http://{host}/readyz"):
                if child.poll() is not None or time.monotonic() > end:
                    log.seek(0)
                    raise SystemExit(f"{BINARY} did not start: exit {child.poll()}\n{log.read()}")
                time.sleep(0.05)
            yield f"http://{host}/mcp"
        finally:
            child.terminate()
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                child.kill()


@asynccontextmanager
async def refused(code):
    """What happens inside must end with this error of the protocol."""
    try:
        yield
    except MCPError as error:
        same(error.code, code, f"code ({error.message})")
    else:
        raise AssertionError(f"no error, where {code} was expected")


class Combination:
    def __init__(self, mode, version, transport, directory):
        self.tally = Tally(f"python, {mode}, {transport}")
        self.mode, self.modern, self.version, self.transport = mode, version == MODERN, version, transport
        self.directory = directory
        self.file = json.loads((directory / f"{TOOL}.widget").read_text())
        self.changed = anyio.Event()

    async def heard(self, message):
        if isinstance(message, types.ToolListChangedNotification):
            self.changed.set()
            self.changed = anyio.Event()

    async def run(self, url):
        with tempfile.TemporaryFile("w+") as log:
            command = StdioServerParameters(command=BINARY, args=["serve", str(self.directory), "--stdio", "--watch"])
            target = url if self.transport == "http" else stdio_client(command, errlog=log)
            with self.tally.check("connection"):
                async with Client(
                    target,
                    mode=self.mode,
                    message_handler=self.heard,
                    read_timeout_seconds=60,
                    extensions=[advertise(UI, {"mimeTypes": [PAGE]})],
                ) as client:
                    await self.checks(client)
            if self.tally.failed:
                log.seek(0)
                sys.stderr.write(log.read()[-4000:])
        print(f"{self.tally.title}: {self.tally.passed} passed, {self.tally.failed} failed", flush=True)

    async def tool(self, client):
        tools = (await client.list_tools()).tools
        return next((tool for tool in tools if tool.name == TOOL), None)

    async def checks(self, client):
        check, file = self.tally.check, self.file
        with check("revision"):
            same(client.protocol_version, self.version, "negotiated")
        if self.mode != MODERN:  # pinned, this client asks for no capabilities
            with check("server says that it has views"):
                must(PAGE in client.server_capabilities.extensions[UI]["mimeTypes"], client.server_capabilities)

        tool = page = result = None
        with check("tools/list"):
            tool = await self.tool(client)
            must(tool, f"no {TOOL}")
        with check("tools/list: description"):
            same(tool.description, file["description"], "description")
        with check("tools/list: _meta.ui.resourceUri"):
            page = tool.meta["ui"]["resourceUri"]
            must(page.startswith("ui://"), page)
        with check("tools/list: order of properties as in the file"):
            same(list(tool.input_schema["properties"]), list(file["jsonSchema"]["properties"]), "properties")

        with check("tools/call"):
            result = await client.call_tool(TOOL, file["sample"])
            must(not result.is_error, result.content)
            text = "".join(item.text for item in result.content if item.type == "text")
            must(file["sample"]["flight_number"] in text, f"text: {text!r}")
        with check("tools/call: the tree"):
            same(result.meta["widgetcast/view"]["tree"]["type"], "Card", "type")
        for name, arguments in [
            ("progress", file["sample"] | {"progress": "soon"}),
            ("airline", {key: value for key, value in file["sample"].items() if key != "airline"}),
        ]:
            with check(f"tools/call: a wrong {name}"):
                wrong = await client.call_tool(TOOL, arguments)
                must(wrong.is_error is True, f"not isError: {wrong.content}")
                must(name in wrong.content[0].text, f"the text does not name the field: {wrong.content}")
        with check("tools/call: an unknown tool"):
            async with refused(types.INVALID_PARAMS):
                await client.call_tool("no_such_tool", {})

        with check("resources/list"):
            listed = (await client.list_resources()).resources
            same([one.mime_type for one in listed if str(one.uri) == page], [PAGE], "type of the page")
        with check("resources/templates/list"):
            listed = (await client.list_resource_templates()).resource_templates
            must(TEMPLATE in [one.uri_template for one in listed], listed)
        with check("resources/read: the page"):
            content = (await client.read_resource(page)).contents[0]
            same((str(content.uri), content.mime_type), (page, PAGE), "page")
            must(content.text.lstrip().lower().startswith("<!doctype html>"), content.text)
        with check("resources/read: the view"):
            uri = result.meta["widgetcast/view"]["uri"]
            must(uri.startswith(f"ui://widgets/{TOOL}/"), uri)
            content = (await client.read_resource(uri)).contents[0]
            same((str(content.uri), content.mime_type), (uri, WIDGET), "view")
            json.loads(content.text)
        for uri in [f"ui://widgets/{TOOL}/no-such-view", "ui://widgetcast/no-such-page.html"]:
            with check(f"resources/read: {uri}"):
                async with refused(types.INVALID_PARAMS if self.modern else -32002):
                    await client.read_resource(uri)
        with check("completion/complete"):
            ref = types.ResourceTemplateReference(type="ref/resource", uri=TEMPLATE)
            values = (await client.complete(ref, {"name": "name", "value": "flight"})).completion.values
            must(TOOL in values and all(value.startswith("flight") for value in values), values)

        with check("abort of calls"):
            # At once, and when some are on their way or answered.
            for delay in [0, 0.001, 0.002, 0.004, 0.008]:
                with anyio.CancelScope() as scope:
                    async with anyio.create_task_group() as group:
                        for _ in range(4):
                            group.start_soon(client.call_tool, TOOL, file["sample"])
                        await anyio.sleep(delay)
                        scope.cancel()
            must(not (await client.call_tool(TOOL, file["sample"])).is_error, "the next call failed")

        with check("a file is edited"):
            good = False
            with anyio.move_on_after(PATIENCE):
                good = await self.edited(client)
            must(good, f"the new description was not served, or nobody was told, within {PATIENCE} s")

    async def edited(self, client):
        description = f"Edited for {self.tally.title}."

        async def arrived():
            return (await self.tool(client)).description == description

        if self.modern:
            async with client.listen(tools_list_changed=True) as events:
                must(events.honored.tools_list_changed, f"honoured: {events.honored}")
                describe(self.directory, description, in_place=False)
                async for _ in events:
                    if await arrived():
                        return True
            return False
        # In the older revisions, this client has a channel for changes over HTTP only if the server
        # keeps sessions, so it lists again; over stdio it must be told, and lists only then.
        changed = self.changed
        describe(self.directory, description, in_place=True)
        while True:
            if self.transport == "stdio":
                await changed.wait()
                changed = self.changed
            else:
                await anyio.sleep(0.2)
            if await arrived():
                return True


async def main():
    # Aborted calls are logged as warnings of the client's own.
    logging.disable(logging.WARNING)
    tallies = []
    with gallery() as shared, served(shared) as url:
        for mode, version, transport in MATRIX:
            with gallery() as own:
                one = Combination(mode, version, transport, shared if transport == "http" else own)
                await one.run(url)
                tallies.append(one.tally)
    passed, failed = sum(one.passed for one in tallies), sum(one.failed for one in tallies)
    print(f"clients.py: {passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(anyio.run(main))
