"""Reads the arguments of a call from stdin, and prints the data of the widget."""

import json
import sys

TAX = 0.081


def answer(arguments):
    return {"label": "Total with tax", "value": round(arguments["amount"] * (1 + TAX), 2)}


if __name__ == "__main__":
    json.dump(answer(json.load(sys.stdin)), sys.stdout)
