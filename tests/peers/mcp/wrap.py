"""Other people's servers by the official Python client: directly, behind `widgetcast wrap` over stdio, and behind
`wrap --http`. Every result, error, question and report of progress must be the same but for what the relay adds.

Usage: wrap.py [binary] [--more]; else $WIDGETCAST, else target/debug/widgetcast. `--more`, by hand: the servers of
third-party.mjs instead, which npx and uvx install. One line per server, mode and transport; the
last line is the sum. The server `conformance` is the example of conformance.mjs, for the revision without sessions.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import warnings
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import anyio
import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).parent
GIVEN = [word for word in sys.argv[1:] if word != "--more"]
BINARY = os.environ.get("WIDGETCAST") or (GIVEN[0] if GIVEN else str(ROOT / "target/debug/widgetcast"))
EXAMPLE = os.environ.get("WIDGETCAST_CONFORMANCE") or str(ROOT / "target/debug/examples/conformance")
UI = "io.modelcontextprotocol/ui"
MODES = ["auto", "legacy"]
OURS = re.compile(r"ui|ui/resourceUri|widgetcast/view|slack|openai/.*")


def package(name):
    place = HERE / "node_modules" / "@modelcontextprotocol" / name
    bins = json.loads((place / "package.json").read_text())["bin"]
    return [shutil.which("node"), str(place / (bins if isinstance(bins, str) else next(iter(bins.values()))))]


SERVERS = {
    "everything": {
        "start": package("server-everything"),
        "calls": [
            ("echo", {"message": "hé 1.50"}),
            ("get-sum", {"a": 0.1, "b": 0.2}),
            ("get-structured-content", {"location": "New York"}),
            ("get-tiny-image", {}),
            ("get-resource-links", {"count": 3}),
            ("trigger-long-running-operation", {"duration": 0.2, "steps": 2}),
            ("trigger-sampling-request", {"prompt": "hello"}),
            ("trigger-elicitation-request", {}),
            ("get-roots-list", {}),
            ("no-such-tool", {}),
            ("get-sum", {"a": "x"}),
        ],
        "prompts": [("simple-prompt", {}), ("no-such-prompt", {})],
        "reads": ["demo://resource/static/document/features.md", "demo://missing"],
    },
    "memory": {
        "start": package("server-memory"),
        "env": {"MEMORY_FILE_PATH": "FOLDER/memory.jsonl"},
        "calls": [
            ("create_entities", {"entities": [{"name": "Bern", "entityType": "city", "observations": ["old"]}]}),
            ("read_graph", {}),
        ],
    },
    "time": {
        "start": [sys.executable, "-m", "mcp_server_time", "--local-timezone", "UTC"],
        "calls": [("convert_time", {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"})],
    },
    "conformance": {
        "example": True,
        "calls": [
            ("test_simple_text", {}),
            ("test_image_content", {}),
            ("test_multiple_content_types", {}),
            ("test_error_handling", {}),
            ("test_tool_with_progress", {}),
            ("test_sampling", {"prompt": "hello"}),
            ("test_elicitation", {"message": "who?"}),
            ("test_elicitation_sep1034_defaults", {}),
            ("no_such_tool", {}),
        ],
        "prompts": [("test_simple_prompt", {}), ("test_prompt_with_arguments", {"arg1": "a", "arg2": "b"})],
        "reads": ["test://static-text", "test://static-binary", "test://template/7/data", "test://missing"],
        "change": "test_trigger_tool_change",
    },
}


def third_party(folder):
    """Fills a folder for the servers of third-party.mjs, which it names, and gives them."""
    printed = subprocess.run(["node", HERE / "third-party.mjs", folder], check=True, capture_output=True, text=True)
    rows = json.loads(printed.stdout).items()
    env = {"MEMORY_FILE_PATH": "FOLDER/memory.jsonl"}
    return {name: {"start": row[0], "calls": row[1:], "env": env, "more": True} for name, row in rows}


def plain(value):
    """A model of the client as JSON."""
    return value.model_dump(mode="json", by_alias=True, exclude_none=True) if hasattr(value, "model_dump") else value


async def outcome(ask):
    try:
        return plain(await ask())
    except Exception as error:
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        return {"error": str(error), "code": getattr(error, "code", None)}


async def converse(row, target, mode):
    """All that a client gets of a server that is asked the same."""
    results, asked = [], []

    async def sample(_, params):
        asked.append(("sampling", plain(params)))
        content = types.TextContent(type="text", text="hi")
        return types.CreateMessageResult(role="assistant", content=content, model="none")

    async def elicit(_, params):
        asked.append(("elicitation", plain(params)))
        return types.ElicitResult(action="decline")

    async def roots(_):
        asked.append(("roots", None))
        return types.ListRootsResult(roots=[{"uri": "file:///x", "name": "x"}])

    client = Client(
        target,
        mode=mode,
        read_timeout_seconds=60,
        sampling_callback=sample,
        elicitation_callback=elicit,
        list_roots_callback=roots,
    )
    async with client:
        capabilities = plain(client.server_capabilities)
        results += [("version", client.protocol_version), ("capabilities", capabilities)]
        results.append(("instructions", client.instructions))
        for what in ["tools", "prompts", "resources", "resource_templates"]:
            results.append((what, await outcome(getattr(client, f"list_{what}"))))
        for name, arguments in row["calls"]:
            steps = []

            async def progress(*step):
                steps.append(step)

            call = lambda: client.call_tool(name, arguments, progress_callback=progress)  # noqa: E731
            results.append((f"call {name}", await outcome(call)))
            results.append((f"progress {name}", steps))
        for name, arguments in row.get("prompts", []):
            results.append((f"prompt {name}", await outcome(lambda: client.get_prompt(name, arguments))))
        for uri in row.get("reads", []):
            results.append((f"read {uri}", await outcome(lambda: client.read_resource(uri))))
            if capabilities.get("resources", {}).get("subscribe"):
                results.append((f"subscribe {uri}", await outcome(lambda: client.subscribe_resource(uri))))
                results.append((f"unsubscribe {uri}", await outcome(lambda: client.unsubscribe_resource(uri))))
        if "change" in row and client.protocol_version >= "2026-07-28":
            async with client.listen(tools_list_changed=True) as events:
                await client.call_tool(row["change"])
                async for event in events:
                    results.append(("changed", str(event)))
                    break
        results.append(("ping", await outcome(client.send_ping)))
    # A server may ask for roots whenever it likes.
    results.append(("asked", sorted(str(one) for one in asked if one[0] != "roots")))
    return results


def without(value, direct, count):
    """Takes what the relay adds out of a value, and counts it."""
    if isinstance(value, list):
        kept = [one for one in value if not (isinstance(one, dict) and is_page(one.get("uri")))]
        count["pages"] += len(value) - len(kept)
        there = direct if isinstance(direct, list) else []
        return [without(one, there[at] if at < len(there) else None, count) for at, one in enumerate(kept)]
    if not isinstance(value, dict):
        return value
    direct, out = direct if isinstance(direct, dict) else {}, {}
    for key, member in value.items():
        known = direct.get(key)
        if key == "_meta":
            count["views"] += "widgetcast/view" in member
            known = known or {}
            kept = {name: one for name, one in member.items() if name in known or not OURS.fullmatch(name)}
            # A tool may say something of its view and have none.
            for name, one in kept.items():
                if isinstance(one, dict) and is_page(one.get("resourceUri")) and one != known.get(name):
                    kept[name] = {key: what for key, what in one.items() if key != "resourceUri"}
            if kept or key in direct:
                out[key] = kept
        elif key == "extensions" and UI not in (known or {}):
            rest = {name: one for name, one in member.items() if name != UI}
            if rest or known is not None:
                out[key] = rest
        else:
            out[key] = without(member, known, count)
    return out


def is_page(uri):
    return str(uri).startswith("ui://widgetcast/view-")


def text(value):
    """The value, without times, which differ from run to run."""
    found = json.dumps(value, sort_keys=True, default=str)
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-][\d:]+)?|\d{1,2}:\d\d:\d\d( [AP]M)?", "TIME", found)


def answers(url):
    try:
        with urllib.request.urlopen(url) as answer:
            return answer.status == 200
    except (urllib.error.URLError, ConnectionError):
        return False


@asynccontextmanager
async def started(command, folder):
    """A server on a free port, which is PORT in its command; gives the address of its endpoint."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [word.replace("PORT", str(port)) for word in command]
    with tempfile.TemporaryFile("w+") as log:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, cwd=folder
        )
        try:
            end = time.monotonic() + 60
            while not await anyio.to_thread.run_sync(answers, f"http://127.0.0.1:{port}/readyz"):
                if child.poll() is not None or time.monotonic() > end:
                    log.seek(0)
                    raise SystemExit(f"{command} did not start: exit {child.poll()}\n{log.read()}")
                await anyio.sleep(0.05)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            child.terminate()
            try:
                await anyio.to_thread.run_sync(child.wait, 10)
            except subprocess.TimeoutExpired:
                child.kill()


async def traffic(row, mode, way):
    """What a client gets this way, of a server that begins anew in an empty folder."""
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="widgetcast-wrap-"))
        if row.get("more"):
            row = third_party(folder)[row["name"]]
        given = {name: value.replace("FOLDER", folder) for name, value in row.get("env", {}).items()}
        env = dict(os.environ, **given)
        errors = stack.enter_context(tempfile.TemporaryFile("w+"))

        def program(start, *rest):
            command = StdioServerParameters(command=start, args=rest, env=env, cwd=folder)
            return stdio_client(command, errlog=errors)

        behind = ["--", *row.get("start", [])]
        if row.get("example"):
            behind = [await stack.enter_async_context(started([EXAMPLE, "--http", "127.0.0.1:PORT"], folder))]
        if way == "direct":
            target = behind[0] if row.get("example") else program(*row["start"])
        elif way == "stdio":
            target = program(BINARY, "wrap", *behind)
        else:
            values = [f"{name}={value}" for name, value in given.items()]
            command = ["env", *values, BINARY, "wrap", "--http", "127.0.0.1:PORT", *behind]
            target = await stack.enter_async_context(started(command, folder))
        try:
            results = await converse(row, target, mode)
            # The folder is another each time.
            return json.loads(json.dumps(results, default=str).replace(folder, "FOLDER"))
        except Exception:
            errors.seek(0)
            sys.stderr.write(errors.read()[-4000:])
            raise


def compare(title, direct, wrapped, may_lack_views):
    """Counts what is the same and what is not."""
    passed, failed, count = 0, 0, {"views": 0, "pages": 0}
    has_resources = "resources" in direct[1][1]
    for (what, want), (_, value) in zip(direct, wrapped, strict=True):
        given = without(value, want, count)
        want = without(want, want, {"views": 0, "pages": 0})
        if not has_resources:
            # A server without resources has those of the relay.
            if what in ["resources", "resource_templates"]:
                continue
            if what == "capabilities":
                given.pop("resources", None)
        if what == "resource_templates" and isinstance(want, dict) and want.get("code") == -32601:
            # Nor does the relay say that it has no templates, if only those are missing.
            continue
        if what.startswith("progress"):
            # The client forgets progress that arrives after its response.
            shorter = min(len(given), len(want))
            given, want = given[:shorter], want[:shorter]
        if text(given) == text(want):
            passed += 1
        else:
            failed += 1
            print(f"  {title}: {what}: {text(given)[:2000]}\n    instead of\n    {text(want)[:2000]}", file=sys.stderr)
    if not (may_lack_views or (count["views"] and count["pages"])):
        failed += 1
        print(f"  {title}: no views were added: {count}", file=sys.stderr)
    print(f"{title}: {passed} passed, {failed} failed", flush=True)
    return passed, failed


async def main():
    # What a revision no longer has is an error in both ways.
    warnings.simplefilter("ignore")
    sums, servers = [0, 0], SERVERS
    if "--more" in sys.argv:
        with tempfile.TemporaryDirectory() as folder:
            servers = {name: {"more": True, "name": name} for name in third_party(folder)}
    for name, row in servers.items():
        got = {}

        async def ask(mode, way):
            got[mode, way] = await traffic(row, mode, way)

        for mode in MODES:
            async with anyio.create_task_group() as group:
                for way in ["direct", "stdio", "HTTP"]:
                    group.start_soon(ask, mode, way)
            for way in ["stdio", "HTTP"]:
                counted = compare(f"{name}, python, {mode}, {way}", got[mode, "direct"], got[mode, way], "more" in row)
                sums = [one + more for one, more in zip(sums, counted)]
    print(f"wrap.py: {sums[0]} passed, {sums[1]} failed")
    return 1 if sums[1] or not sums[0] else 0


sys.exit(anyio.run(main))
