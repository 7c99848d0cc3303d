"""Makes the wheel: the binary as a script, and a module that starts it.

Usage: build.py --binary PATH --out DIR [--target TRIPLE]

The target is that of the Rust compiler, by default this machine's. Nothing is compiled, so that every
package holds the same binary; the file is the same, byte for byte, for the same binary.
"""

import argparse
import base64
import hashlib
import json
import re
import subprocess
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROJECT = json.loads((HERE.parent / "project.json").read_text())
PLATFORMS = {row["target"]: row for row in PROJECT["platforms"]}


def host() -> str:
    said = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    return re.search(r"^host: (.+)$", said, re.M)[1]


def wheel_tag(platform: dict, binary: bytes) -> str:
    """The platform tag. For glibc it names the oldest version that has all the symbols the binary asks for:
    pip then refuses the wheel where the binary would not start."""
    if platform.get("libc") != "glibc":
        return platform["wheel"]
    minors = [int(minor) for minor in re.findall(rb"\0GLIBC_2\.(\d+)(?=[.\0])", binary)]
    # 17 is the oldest that pip knows by this form of the tag.
    return platform["wheel"].replace("manylinux", f"manylinux_2_{max([17, *minors])}")


def build(binary: Path, out: Path, target: str) -> Path:
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]
    description = tomllib.loads((ROOT / "crates/cli/Cargo.toml").read_text())["package"]["description"]
    version, platform = cargo["version"], PLATFORMS[target]
    content = binary.read_bytes()
    tag = f"py3-none-{wheel_tag(platform, content)}"
    info = f"widgetcast-{version}.dist-info"
    exe = ".exe" if platform["os"] == "win32" else ""

    # The MCP registry looks for the name in the description.
    readme = (HERE.parent / "package.md").read_text() + f"\n<!-- mcp-name: {PROJECT['mcpName']} -->\n"
    licenses = ["LICENSE-APACHE", "LICENSE-MIT"]
    metadata = [
        "Metadata-Version: 2.4",
        "Name: widgetcast",
        f"Version: {version}",
        f"Summary: {description}",
        "Keywords: mcp,mcp-server,mcp-apps,chatkit,widget",
        f"License-Expression: {cargo['license']}",
        *(f"License-File: {name}" for name in licenses),
        "Requires-Python: >=3.10",
        "Description-Content-Type: text/markdown",
        "",
        readme,
    ]
    files = {f"widgetcast/{path.name}": path.read_bytes() for path in sorted((HERE / "widgetcast").glob("*.*"))}
    files |= {f"widgetcast-{version}.data/scripts/widgetcast{exe}": content}
    files |= {f"{info}/licenses/{name}": (ROOT / name).read_bytes() for name in licenses}
    files |= {
        f"{info}/METADATA": "\n".join(metadata).encode(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: widgetcast\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
    }

    def record(name: str, data: bytes) -> str:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        return f"{name},sha256={digest},{len(data)}\n"

    records = "".join(record(name, data) for name, data in files.items()) + f"{info}/RECORD,,\n"
    files[f"{info}/RECORD"] = records.encode()

    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"widgetcast-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            # A fixed date, and permissions that unpacking keeps.
            entry = zipfile.ZipInfo(name)
            entry.create_system = 3
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return wheel


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--target", choices=PLATFORMS)
    args = parser.parse_args()
    print(build(args.binary, args.out, args.target or host()).name)
