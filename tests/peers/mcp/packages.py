"""The wheel as it is packed, installed with an empty home and without a network, and driven by the official client.

Usage: packages.py [binary]; else $WIDGETCAST, else target/debug/widgetcast.
Needs: pip install mcp==2.3.0 uv==0.13.8
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

ROOT = Path(__file__).resolve().parents[3]
BINARY = os.environ.get("WIDGETCAST") or (sys.argv[1] if sys.argv[1:] else str(ROOT / "target/debug/widgetcast"))
TOOL = "flight_tracker"
VERSION = re.search(r'^version = "(.+)"$', (ROOT / "Cargo.toml").read_text(), re.M)[1]
BIN = Path(sys.executable).parent

passed = failed = 0


def check(name, condition, message=""):
    global passed, failed
    passed, failed = passed + bool(condition), failed + (not condition)
    if not condition:
        print(f"  wheel: {name}: {str(message)[:600]}", file=sys.stderr)


def build(*args):
    script = ROOT / "packaging/python/build.py"
    return subprocess.run([sys.executable, script, *args], check=True, capture_output=True, text=True).stdout.strip()


async def drive(name, command, args, env, cwd):
    """Starts a server as a client does, and calls a tool."""
    sample = json.loads((ROOT / f"crates/cli/widgets/{TOOL}.widget").read_text())["sample"]
    parameters = StdioServerParameters(command=str(command), args=args, env=env, cwd=cwd)
    with tempfile.TemporaryFile("w+") as log:
        try:
            async with Client(stdio_client(parameters, errlog=log), read_timeout_seconds=60) as client:
                tools = [tool.name for tool in (await client.list_tools()).tools]
                check(f"{name}: tools/list", TOOL in tools, tools)
                result = await client.call_tool(TOOL, sample)
                check(f"{name}: tools/call", sample["flight_number"] in result.content[0].text, result)
        except Exception as error:
            log.seek(0)
            check(f"{name}: connection", False, f"{error!r}\n{log.read()}")


def main(place):
    home, user, packed = place / "home", place / "user", place / "packed"
    for directory in [home, user]:
        directory.mkdir()
    shutil.copytree(ROOT / "crates/cli/widgets", user / "widgets")
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin"}

    def run(command, more=(), **options):
        return subprocess.run([str(one) for one in command], env=env | dict(more), cwd=user, capture_output=True, text=True, **options)

    # Without debug information, which is most of a debug build.
    subprocess.run(["strip", "-o", place / "widgetcast", BINARY], check=True)
    wheel = packed / build("--binary", str(place / "widgetcast"), "--out", str(packed))

    # Another package manager's view of it: every file has its hash, and the name for the MCP registry is there.
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read(f"widgetcast-{VERSION}.dist-info/METADATA").decode()
        name = json.loads((ROOT / "packaging/project.json").read_text())["mcpName"]
        check("mcp-name", f"mcp-name: {name} " in metadata, metadata)

    venv = place / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    python = venv / "bin/python"
    pip = [sys.executable, "-m", "pip", "--python", python, "--isolated", "--disable-pip-version-check"]
    installed = run([*pip, "install", "--no-index", "--quiet", wheel])
    check("pip install", installed.returncode == 0, installed.stderr)
    for command in [[python, "-m", "widgetcast"], [venv / "bin/widgetcast"]]:
        said = run([*command, "--version"])
        check(command, said.stdout.strip() == f"widgetcast {VERSION}", said)
        check(f"{command}: exit code", run([*command, "list", "nowhere"]).returncode == 2)
    anyio.run(drive, "python -m", python, ["-m", "widgetcast", "serve", "--stdio", "./widgets"], env, user)

    # A script in the place of the binary.
    stand = place / "stand-in"
    stand.write_text('#!/bin/sh\necho "stand-in $*"\nexit 7\n')
    stand.chmod(0o755)
    said = run([python, "-m", "widgetcast", "a b", "c"], {"WIDGETCAST_BINARY": stand})
    check("WIDGETCAST_BINARY", (said.returncode, said.stdout) == (7, "stand-in a b c\n"), said)
    (venv / "bin/widgetcast").unlink()
    said = run([python, "-m", "widgetcast"])
    check("a missing binary is named", said.returncode == 1 and "install the package again" in said.stderr, said)

    uvx = [BIN / "uvx", "--offline", "--no-index", "--python", sys.executable, "--from", wheel, "widgetcast"]
    said = run([*uvx, "--version"])
    check("uvx widgetcast", said.stdout.strip() == f"widgetcast {VERSION}", said)
    command, *args = [*map(str, uvx), "serve", "--stdio", "./widgets"]
    anyio.run(drive, "uvx", command, args, env, user)
    server = subprocess.Popen([*map(str, uvx), "serve", "--http", "127.0.0.1:0"], env=env, cwd=user, stderr=subprocess.PIPE, text=True)
    check("uvx: serves", any("serving " in line for line in server.stderr))
    server.send_signal(signal.SIGTERM)
    # 128 + 15 if the binary had not got as far as to handle it.
    check("uvx: SIGTERM ends it", server.wait(60) in (0, 143, -15), server.returncode)

    # The tag is that of the platform; on Linux with glibc, of the newest symbols that the binary asks for.
    for target, content, tag in [
        ("x86_64-unknown-linux-gnu", b"\x7fELF\0GLIBC_2.9\0GLIBC_2.31\0GLIBC_2.2.5\0", "manylinux_2_31_x86_64"),
        ("aarch64-unknown-linux-gnu", b"\x7fELF", "manylinux_2_17_aarch64"),
        ("aarch64-unknown-linux-musl", b"\x7fELF", "musllinux_1_2_aarch64"),
        ("aarch64-apple-darwin", b"", "macosx_11_0_arm64"),
        ("x86_64-pc-windows-msvc", b"MZ", "win_amd64"),
    ]:
        stand.write_bytes(content)
        name = build("--binary", str(stand), "--out", str(place / "other"), "--target", target)
        check(target, name == f"widgetcast-{VERSION}-py3-none-{tag}.whl", name)
        files = zipfile.ZipFile(place / "other" / name).namelist()
        script = f"widgetcast-{VERSION}.data/scripts/widgetcast" + (".exe" if "windows" in target else "")
        check(f"{target}: the binary", script in files, files)


with tempfile.TemporaryDirectory(prefix="widgetcast-packages-") as place:
    main(Path(place))
print(f"packages.py: {passed} passed, {failed} failed")
sys.exit(1 if failed or not passed else 0)
