"""A second opinion on Block Kit output: the block classes of Slack's own Python SDK.

Usage: check.py <file>, a JSON list whose entries are block lists or {"name", "blocks"}.
Every block must be known, pass its validators all the way down, and survive the round trip.
Needs: pip install slack_sdk==3.46.0
"""

import json
import logging
import sys
from enum import Enum

from slack_sdk.models.basic_objects import JsonObject
from slack_sdk.models.blocks import Block

# The SDK has no classes for these; check.ts and the Rust check look at them.
UNKNOWN = {"data_table", "data_visualization"}


def judge(value):
    """Runs the validators of an object and of everything inside it."""
    if isinstance(value, JsonObject):
        value.validate_json()
        for inner in vars(value).values():
            judge(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            judge(inner)


def plain(value):
    """The parsed value as JSON again."""
    if isinstance(value, JsonObject):
        return plain(value.to_dict())
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return value.value if isinstance(value, Enum) else value


def fault(block):
    if block["type"] in UNKNOWN:
        return None
    parsed = Block.parse(block)
    if parsed is None:
        return "unknown to slack_sdk"
    try:
        judge(parsed)
    except Exception as error:  # the SDK raises several kinds
        return str(error)
    back = plain(parsed)
    return None if back == block else f"comes back changed: {json.dumps(back)}"


def main(path):
    logging.disable(logging.WARNING)
    faults = blocks = 0
    cases = json.load(open(path, encoding="utf-8"))
    for number, case in enumerate(cases):
        name, case = (case["name"], case["blocks"]) if isinstance(case, dict) else (number, case)
        for index, block in enumerate(case):
            blocks += 1
            if found := fault(block):
                faults += 1
                print(f"case {name}: blocks[{index}]: {found}", file=sys.stderr)
    print(f"slack_sdk: {len(cases)} cases, {blocks} blocks, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
