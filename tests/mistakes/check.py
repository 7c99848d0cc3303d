"""Compiles the mistakes, and compares what the compiler says about each with what it should say."""

import json
import subprocess
import sys

HANDLER = [
    "this function is not a valid handler",
    "a handler is an `async fn` whose future is `Send`",
    ", followed by the input",
    "the input must derive `serde::Deserialize` and `schemars::JsonSchema`",
]
# By a text in the line of the mistake: what its error must contain.
EXPECTED = {
    "main": {
        '"no_schema"': HANDLER,
        '"not_async"': HANDLER,
        '"wrong_order"': HANDLER,
        '"two_inputs"': HANDLER,
        '"not_clone"': [*HANDLER, "a state must be `Clone + Send + Sync`"],
        '"bad_output"': ["`{integer}` is not a valid result of a tool", "a tool returns `Data<T>`"],
        '"bad_data"': ["NotSerialized: serde::Serialize` is not satisfied"],
        '"bad_error"': ["`{integer}: StdError` is not satisfied"],
        '"bad_messages"': ["`{integer}` is not a valid result of a prompt"],
        '"shop://bad_contents"': ["`{integer}` is not valid resource contents", "an `Option` of these"],
        '"shop/bad_result"': ["`{integer}` is not a valid result of a method"],
        'child("a text")': ["`&str` is not allowed as a child here", "wrap text in a `Text`"],
        "child(TableRow::new())": ["TableRow` is not allowed as a child here"],
        "components(Row::new())": ["Row` is not a root", "a tree starts with a `Card`"],
    },
    "late": {
        '"not_send"': ["future cannot be sent between threads safely", "Rc<i32>"],
    },
}


def errors(binary: str) -> list[tuple[str, str]]:
    """The line and the whole text of each error."""
    command = ["cargo", "check", "--locked", "--quiet", "-p", "widgetcast-mistakes"]
    command += ["--features", "mistakes", "--bin", binary, "--message-format", "json"]
    found = []
    for line in subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout.splitlines():
        message = json.loads(line).get("message", {})
        spans = [span for span in message.get("spans", []) if span["is_primary"]]
        if message.get("level") == "error" and spans:
            text = spans[0]["text"][0]["text"] if spans[0]["text"] else ""
            found.append((text, message["rendered"]))
    return found


def main() -> int:
    wrong = 0
    for binary, expected in EXPECTED.items():
        name = "mistakes" if binary == "main" else binary
        found = errors(name)
        for mark, texts in expected.items():
            said = "\n".join(rendered for line, rendered in found if mark in line)
            missing = [text for text in texts if text not in said]
            if missing:
                wrong += 1
                print(f"{mark}: the compiler does not say {missing}\n{said or '(nothing)'}\n")
        known = [rendered for line, rendered in found if not any(mark in line for mark in expected)]
        wrong += len(known)
        print(*known, sep="\n", end="")
    count = sum(map(len, EXPECTED.values()))
    print(f"{count} mistakes in handlers and components, {wrong} explained otherwise than expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
