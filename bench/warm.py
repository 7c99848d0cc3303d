"""Calls per second of a tool by command whose Python processes stay running.

Usage: warm.py [BINARY [CALLS [AT_ONCE]]]
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BINARY = sys.argv[1] if sys.argv[1:] else "target/dist/widgetcast"
CALLS = int(sys.argv[2]) if sys.argv[2:] else 4000
AT_ONCE = int(sys.argv[3]) if sys.argv[3:] else 8

TOOL = """
import json, sys
for line in sys.stdin:
    amount = json.loads(line)["amount"]
    print(json.dumps({"value": round(amount * 1.081, 2)}), flush=True)
"""
WIDGET = """
version: "1.0"
name: Total
tool: total
description: Shows a total
jsonSchema: {type: object, properties: {value: {type: number}}, required: [value]}
widget: {type: Card, children: [{type: Text, value: "Total {{ value }}"}]}
sample: {value: 1}
"""
CONFIG = """
[tools.order_total]
run = ["python3", "total.py"]
keep = %d
input = { type = "object", properties = { amount = { type = "number" } }, required = ["amount"] }
widget = "total"
read_only = true
"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {"total.py": TOOL, "total.widget": WIDGET, "widgetcast.toml": CONFIG % AT_ONCE}.items():
            Path(folder, name).write_text(text)
        command = [BINARY, "serve", "--stdio", folder]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, text=True, **pipes) as server:
            measure(server)


def measure(server):
    def say(message):
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        server.stdin.flush()

    def hear():
        while True:
            message = json.loads(server.stdout.readline())
            if "id" in message:
                return message

    def run(calls):
        began, times = {}, []
        for number in range(1, calls + AT_ONCE + 1):
            if number <= calls:
                began[number] = time.perf_counter()
                params = {"name": "order_total", "arguments": {"amount": number}}
                say({"id": number, "method": "tools/call", "params": params})
            if number <= AT_ONCE:
                continue
            answer = hear()
            if answer.get("result", {}).get("isError", True):
                raise SystemExit(f"a call failed: {answer}")
            times.append(time.perf_counter() - began.pop(answer["id"]))
        return sorted(times)

    about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
    say({"id": 0, "method": "initialize", "params": about})
    hear()
    say({"method": "notifications/initialized"})
    run(200)
    start = time.perf_counter()
    times = run(CALLS)
    rate = CALLS / (time.perf_counter() - start)
    middle, slow = times[len(times) // 2], times[len(times) * 99 // 100]
    print(f"{rate:.0f} calls a second, {AT_ONCE} at once; p50 {middle * 1e3:.2f} ms, p99 {slow * 1e3:.2f} ms")


main()
