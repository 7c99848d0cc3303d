"""Describes a release for other programs: sbom.json (CycloneDX) and server.json (the MCP registry).

Usage: describe.py --out DIR
"""

import argparse
import json
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CLI = "widgetcast-cli"


def sbom(version: str) -> dict:
    """Every crate that is compiled into the binary on some platform: those reached without development."""
    command = ["cargo", "metadata", "--format-version=1", "--locked", "--offline"]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    edges = {
        node["id"]: [
            dependency["pkg"]
            for dependency in node["deps"]
            if any(kind["kind"] != "dev" for kind in dependency["dep_kinds"])
        ]
        for node in metadata["resolve"]["nodes"]
    }
    [root] = [id for id, package in packages.items() if package["name"] == CLI]
    reached, waiting = set(), [root]
    while waiting:
        id = waiting.pop()
        if id not in reached:
            reached.add(id)
            waiting += edges[id]

    def component(package: dict) -> dict:
        purl = f"pkg:cargo/{package['name']}@{package['version']}"
        described = {"type": "library", "bom-ref": purl, "name": package["name"], "version": package["version"], "purl": purl}
        # Some crates still write a slash for OR.
        licence = (package["license"] or "").replace("/", " OR ")
        return described | ({"licenses": [{"expression": licence}]} if licence else {})

    found = sorted((packages[id] for id in reached - {root}), key=lambda package: (package["name"], package["version"]))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": component(packages[root]) | {"type": "application", "name": "widgetcast", "version": version}},
        "components": [component(package) for package in found],
    }


def server(version: str, description: str) -> dict:
    name = json.loads((ROOT / "packaging/project.json").read_text())["mcpName"]
    arguments = [{"type": "positional", "value": "serve"}, {"type": "named", "name": "--stdio"}]

    def package(registry: str, runner: str) -> dict:
        return {
            "registryType": registry,
            "identifier": "widgetcast",
            "version": version,
            "runtimeHint": runner,
            "packageArguments": arguments,
            "transport": {"type": "stdio"},
        }

    return {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": name,
        "description": description,
        "version": version,
        "packages": [package("npm", "npx"), package("pypi", "uvx")],
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    out = parser.parse_args().out
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    description = tomllib.loads((ROOT / "crates/cli/Cargo.toml").read_text())["package"]["description"]
    for name, content in [("sbom.json", sbom(version)), ("server.json", server(version, description))]:
        (out / name).write_text(json.dumps(content, indent=2) + "\n")
