"""A folder of .widget files as an MCP server, with FastMCP and openai-chatkit.

The same job as the original (`mcp-chatkit-widget`), written for the versions of today:

- `WidgetTemplate` of openai-chatkit compiles a template once; the original compiled it on every call;
- the declared return type is `DynamicWidgetRoot`. FastMCP 4 serialises by the declared type, and with
  the original's `WidgetComponentBase` a card silently loses its children;
- `run_in_thread=False`: rendering takes less time than a hop to a thread and back.

Usage: server.py DIR --stdio | server.py DIR --http PORT [--sessions]
"""

import argparse
import inspect
import json
import re
from pathlib import Path
from typing import Any

from chatkit.widgets import DynamicWidgetRoot, WidgetTemplate
from fastmcp import FastMCP
from pydantic import BaseModel, create_model

SCALARS = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list[Any]}


def tool_name(name: str) -> str:
    name = re.sub(r"[^a-z0-9_]", "", re.sub(r"[\s-]+", "_", name.lower()))
    return f"_{name}" if name[:1].isdigit() else name


def python_type(schema: dict[str, Any], name: str) -> Any:
    kind = schema.get("type")
    if kind == "object" and "properties" in schema:
        return model(schema, name)
    return SCALARS.get(kind, Any) if isinstance(kind, str) else Any


def model(schema: dict[str, Any], name: str) -> type[BaseModel]:
    required = set(schema.get("required", []))
    fields: dict[str, Any] = {}
    for key, part in schema.get("properties", {}).items():
        kind = python_type(part, f"{name}{key.title().replace('_', '')}")
        fields[key] = (kind, ...) if key in required else (kind | None, None)
    return create_model(name, **fields)


def tool(name: str, arguments: type[BaseModel], template: WidgetTemplate) -> Any:
    def widget_tool(**kwargs: Any) -> DynamicWidgetRoot:
        data = arguments(**kwargs).model_dump()
        # Studio writes `undefined` for a prop that is left out.
        data["undefined"] = None
        return template.build(data)

    widget_tool.__name__ = arguments.__name__
    widget_tool.__doc__ = f"Generate a {name} widget."
    parameters = [
        inspect.Parameter(
            key,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.is_required() else field.default,
            annotation=field.annotation,
        )
        for key, field in arguments.model_fields.items()
    ]
    widget_tool.__signature__ = inspect.Signature(parameters, return_annotation=DynamicWidgetRoot)
    widget_tool.__annotations__ = {p.name: p.annotation for p in parameters} | {
        "return": DynamicWidgetRoot
    }
    return widget_tool


def serve(directory: Path) -> FastMCP:
    server = FastMCP("widgets")
    for file in sorted(directory.glob("*.widget")):
        definition = json.loads(file.read_text(encoding="utf-8"))
        name = definition["name"]
        title = "".join(word.title() for word in tool_name(name).split("_"))
        arguments = model(definition["jsonSchema"], title)
        template = WidgetTemplate(definition)
        server.tool(
            name=tool_name(name),
            description=definition.get("description"),
            run_in_thread=False,
        )(tool(name, arguments, template))
    return server


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=Path)
    parser.add_argument("--stdio", action="store_true")
    parser.add_argument("--http", type=int, metavar="PORT")
    parser.add_argument("--sessions", action="store_true", help="sessions and SSE, the default of FastMCP")
    args = parser.parse_args()
    server = serve(args.directory)
    if args.stdio:
        server.run(transport="stdio", show_banner=False, log_level="ERROR")
    else:
        server.run(
            transport="http",
            host="127.0.0.1",
            port=args.http,
            path="/mcp",
            stateless_http=not args.sessions,
            json_response=not args.sessions,
            show_banner=False,
            log_level="ERROR",
            uvicorn_config={"access_log": False},
        )


if __name__ == "__main__":
    main()
