"""The same requests to the official ChatKit server (openai-chatkit) and to ours: the answers must be the
same apart from ids, times and the order of keys. Usage: check.py PATH-OF-THE-EXAMPLE-golden"""

import asyncio
import base64
import json
import logging
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from datetime import datetime

from chatkit.errors import CustomStreamError, StreamError
from chatkit.server import ChatKitServer, NonStreamingResult, diff_widget
from chatkit.store import AttachmentStore, NotFoundError, Store
from chatkit.types import (
    AssistantMessageContent,
    AssistantMessageContentPartAdded,
    AssistantMessageContentPartDone,
    AssistantMessageContentPartTextDelta,
    AssistantMessageItem,
    AttachmentUploadDescriptor,
    ClientEffectEvent,
    ClientToolCallItem,
    ClosedStatus,
    ErrorCode,
    FileAttachment,
    HiddenContextItem,
    ImageAttachment,
    LockedStatus,
    NoticeEvent,
    Page,
    ProgressUpdateEvent,
    StructuredInputItem,
    SyncCustomActionResponse,
    ThreadItemAddedEvent,
    ThreadItemDoneEvent,
    ThreadItemReplacedEvent,
    ThreadItemUpdatedEvent,
    ThreadMetadata,
    WidgetItem,
)
from pydantic import TypeAdapter


# It logs every request that it refuses.
logging.disable(logging.CRITICAL)


class Memory(Store):
    """Threads and items in the order they came."""

    def __init__(self):
        self.threads, self.items, self.attachments = {}, {}, {}

    async def load_thread(self, thread_id, context):
        if thread_id not in self.threads:
            raise NotFoundError(thread_id)
        return self.threads[thread_id].model_copy(deep=True)

    async def save_thread(self, thread, context):
        # A new thread comes with its items.
        self.threads[thread.id] = ThreadMetadata(**thread.model_dump(exclude={"items"}))
        self.items.setdefault(thread.id, {})

    @staticmethod
    def page(rows, after, limit, order):
        rows = list(rows) if order == "asc" else list(reversed(list(rows)))
        if after:
            ids = [row.id for row in rows]
            rows = rows[ids.index(after) + 1 :] if after in ids else []
        more = len(rows) > limit
        rows = rows[:limit]
        return Page(data=rows, has_more=more, after=rows[-1].id if more else None)

    async def load_thread_items(self, thread_id, after, limit, order, context):
        if thread_id not in self.threads:
            raise NotFoundError(thread_id)
        return self.page(self.items[thread_id].values(), after, limit, order)

    async def load_threads(self, limit, after, order, context):
        return self.page(self.threads.values(), after, limit, order)

    async def add_thread_item(self, thread_id, item, context):
        self.items[thread_id][item.id] = item

    save_item = add_thread_item

    async def load_item(self, thread_id, item_id, context):
        if item_id not in self.items.get(thread_id, {}):
            raise NotFoundError(item_id)
        return self.items[thread_id][item_id]

    async def delete_thread(self, thread_id, context):
        self.threads.pop(thread_id, None)
        self.items.pop(thread_id, None)

    async def delete_thread_item(self, thread_id, item_id, context):
        self.items[thread_id].pop(item_id, None)

    async def save_attachment(self, attachment, context):
        self.attachments[attachment.id] = attachment

    async def load_attachment(self, attachment_id, context):
        if attachment_id not in self.attachments:
            raise NotFoundError(attachment_id)
        return self.attachments[attachment_id]

    async def delete_attachment(self, attachment_id, context):
        self.attachments.pop(attachment_id, None)


class Files(AttachmentStore):
    async def create_attachment(self, input, context):
        id = self.generate_attachment_id(input.mime_type, context)
        url = f"http://localhost/chatkit/attachments/{id}"
        about = dict(id=id, name=input.name, mime_type=input.mime_type)
        upload = AttachmentUploadDescriptor(url=url, method="PUT", headers={})
        if input.mime_type.startswith("image/"):
            return ImageAttachment(preview_url=url, upload_descriptor=upload, **about)
        return FileAttachment(upload_descriptor=upload, **about)

    async def delete_attachment(self, attachment_id, context):
        pass


def card(text, streaming, more=()):
    children = [
        {"type": "Title", "value": "Draft"},
        {"id": "body", "type": "Markdown", "value": text, "streaming": streaming},
        *more,
    ]
    return TypeAdapter(WidgetItem).validate_python(
        {
            "id": "x", "thread_id": "x", "created_at": datetime.now(), "type": "widget",
            "widget": {"id": "root", "type": "Card", "children": children},
        }
    ).widget


class Golden(ChatKitServer):
    """What crates/chatkit/tests/chatkit/golden.rs does."""

    def about(self, thread, kind="message"):
        id = self.store.generate_item_id(kind, thread, None)
        return dict(id=id, thread_id=thread.id, created_at=datetime.now())

    async def say(self, thread, text):
        about = self.about(thread)
        yield ThreadItemAddedEvent(item=AssistantMessageItem(content=[], **about))
        update = lambda update: ThreadItemUpdatedEvent(item_id=about["id"], update=update)
        part = lambda text: AssistantMessageContent(text=text, annotations=[])
        yield update(AssistantMessageContentPartAdded(content_index=0, content=part("")))
        yield update(AssistantMessageContentPartTextDelta(content_index=0, delta=text))
        yield update(AssistantMessageContentPartDone(content_index=0, content=part(text)))
        yield ThreadItemDoneEvent(item=AssistantMessageItem(content=[part(text)], **about))

    async def respond(self, thread, item, context) -> AsyncIterator:
        text = " ".join(part.text for part in item.content) if item else None
        if text is None:
            async for event in self.say(thread, "continued"):
                yield event
        elif text == "widget please":
            about, states = self.about(thread), [
                card("Hel", True), card("Hello wor", True), card("Hello world", False),
                card("Hello world", False, [{"type": "Badge", "label": "done"}]),
            ]
            about["copy_text"] = "Hello world"
            yield ThreadItemAddedEvent(item=WidgetItem(widget=states[0], **about))
            for before, after in zip(states, states[1:]):
                for update in diff_widget(before, after):
                    yield ThreadItemUpdatedEvent(item_id=about["id"], update=update)
            yield ThreadItemDoneEvent(item=WidgetItem(widget=states[-1], **about))
        elif text == "static":
            yield ThreadItemDoneEvent(item=WidgetItem(widget=card("x", False), **self.about(thread)))
        elif text == "error":
            raise CustomStreamError("Nope", allow_retry=True)
        elif text == "fail":
            raise StreamError(ErrorCode.STREAM_ERROR, allow_retry=True)
        elif text == "call":
            call = dict(call_id="c1", name="locate", arguments={})
            yield ThreadItemDoneEvent(
                item=ClientToolCallItem(**call, **self.about(thread, "tool_call"))
            )
        elif text == "ask":
            inputs = [
                {"type": "freeform", "id": "name", "question": "Who?"},
                {"type": "multiple_choice", "id": "size", "question": "Which?",
                 "options": [{"value": "s"}, {"value": "l"}]},
                {"type": "multiple_choice", "id": "extras", "question": "What else?",
                 "options": [{"value": "a"}, {"value": "b"}], "multiple": True},
                {"type": "freeform", "id": "more", "question": "More?"},
            ]
            yield ThreadItemDoneEvent(item=StructuredInputItem(inputs=inputs, **self.about(thread)))
        elif text in ("lock", "close"):
            status = LockedStatus if text == "lock" else ClosedStatus
            thread.status = status(reason="enough")
        elif text == "hidden":
            yield ThreadItemDoneEvent(
                item=HiddenContextItem(content={"secret": True}, **self.about(thread))
            )
            async for event in self.say(thread, "seen"):
                yield event
        else:
            events = [event async for event in self.say(thread, "Hi")]
            for event in events[:-1]:
                yield event
            thread.title = "Greeting"
            yield events[-1]
            yield ProgressUpdateEvent(icon="search", text="Searching")
            yield ClientEffectEvent(name="flash", data={"a": 1})
            yield NoticeEvent(level="info", message="note")

    async def action(self, thread, action, sender, context):
        if sender is None:
            async for event in self.say(thread, "acted"):
                yield event
        else:
            widget = card(f"acted {action.type}", False)
            yield ThreadItemReplacedEvent(item=sender.model_copy(update={"widget": widget}))

    async def sync_action(self, thread, action, sender, context):
        widget = card(f"sync {action.type}", False)
        return SyncCustomActionResponse(updated_item=sender.model_copy(update={"widget": widget}))


class Official:
    def __init__(self):
        self.server = Golden(Memory(), Files())
        self.loop = asyncio.new_event_loop()

    def ask(self, request):
        async def run():
            result = await self.server.process(json.dumps(request), None)
            if isinstance(result, NonStreamingResult):
                return json.loads(result.json)
            return [json.loads(frame[len(b"data: ") :]) async for frame in result]

        try:
            return self.loop.run_until_complete(run())
        except Exception as error:
            return {"refused": type(error).__name__}


class Ours:
    def __init__(self, program):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.dir = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen([program, str(self.port), f"sqlite:{self.dir.name}/chat.db"])
        for _ in range(1200):
            try:
                page = urllib.request.urlopen(f"http://127.0.0.1:{self.port}/chat")
                self.cookie = page.headers["set-cookie"].split(";")[0]
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit("our server does not start")

    def ask(self, request):
        headers = {"content-type": "application/json", "cookie": self.cookie}
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/chatkit", json.dumps(request).encode(), headers
        )
        try:
            with urllib.request.urlopen(request) as response:
                text = response.read().decode()
                if response.headers["content-type"] == "text/event-stream":
                    frames = [frame for frame in text.split("\n\n") if frame]
                    return [json.loads(frame[len("data: ") :]) for frame in frames]
                return json.loads(text)
        except urllib.error.HTTPError as error:
            return {"refused": error.code}


def normal(value, names):
    """With ids in the order of their coming, and without times and addresses."""
    if isinstance(value, list):
        return [normal(entry, names) for entry in value]
    if isinstance(value, dict):
        out = {}
        for key, entry in value.items():
            if key == "created_at":
                entry = "time"
            elif key in ("id", "thread_id", "item_id", "after") and isinstance(entry, str):
                # The ids of components and of questions are their authors'.
                if "_" in entry:
                    entry = names.setdefault(entry, f"id {len(names)}")
            elif key in ("url", "preview_url", "headers"):
                entry = "address"
            elif key == "refused":
                entry = True
            elif key == "upload_descriptor" and "thread_id" in value:
                continue
            else:
                entry = normal(entry, names)
            out[key] = entry
        return out
    return value


class Pair:
    """Both servers. Ids in a request are those of each: they are named by what was answered before."""

    def __init__(self, program):
        self.sides = [(Official(), {}), (Ours(program), {})]
        self.count = 0

    def ask(self, type, params):
        answers = []
        for server, names in self.sides:
            back = {name: id for id, name in names.items()}

            def own(value):
                if isinstance(value, dict):
                    return {key: own(entry) for key, entry in value.items()}
                if isinstance(value, list):
                    return [own(entry) for entry in value]
                return back.get(value, value) if isinstance(value, str) else value

            answers.append(normal(server.ask({"type": type, "params": own(params)}), names))
        self.count += 1
        if answers[0] != answers[1]:
            print(f"{type} {json.dumps(params)}\n official: {json.dumps(answers[0])}")
            print(f" ours:     {json.dumps(answers[1])}")
            raise SystemExit(1)
        return answers[1]

    def say(self, text, thread=None, **more):
        content = [{"type": "input_text", "text": text}]
        input = {"content": content, "attachments": [], "inference_options": {}, **more}
        if thread:
            return self.ask("threads.add_user_message", {"thread_id": thread, "input": input})
        return self.ask("threads.create", {"input": input})


def main(program):
    both = Pair(program)
    try:
        conversation(both)
    finally:
        both.sides[1][0].process.kill()
        both.sides[1][0].process.wait()
    print(f"{both.count} requests: the official ChatKit server and ours give the same answers")


def conversation(both):
    thread = both.say("hello")[0]["thread"]["id"]
    for text in ["widget please", "static", "error", "fail"]:
        both.say(text, thread)
    tag = {"type": "input_tag", "id": "a", "text": "Ada", "data": {"x": 1}, "group": None}
    both.say("hello", thread, quoted_text="earlier", inference_options={"model": "m", "tool_choice": {"id": "t"}})
    both.say("", thread, content=[tag])

    # Pages, in both orders, to their ends.
    for order in ["asc", "desc"]:
        after, rounds = None, 0
        while True:
            page = both.ask(
                "items.list", {"thread_id": thread, "limit": 3, "order": order, "after": after}
            )
            rounds += 1
            if not page["has_more"]:
                break
            after = page["after"]
        assert rounds > 2, rounds
    both.ask("items.list", {"thread_id": thread})
    both.ask("threads.get_by_id", {"thread_id": thread})
    others = [both.say("static")[0]["thread"]["id"] for _ in range(4)]
    for order in ["asc", "desc"]:
        page = both.ask("threads.list", {"limit": 2, "order": order})
        both.ask("threads.list", {"limit": 2, "order": order, "after": page["after"]})
    both.ask("threads.list", {"limit": 9999})
    both.ask("threads.list", {})

    # Actions of widgets, streamed and not, with and without a widget.
    items = both.ask("items.list", {"thread_id": thread, "order": "asc"})["data"]
    widget = next(item for item in items if item["type"] == "widget")["id"]
    for action in [{"type": "send", "payload": {"a": 1}}, {"type": "like"}]:
        of = {"thread_id": thread, "item_id": widget, "action": action}
        both.ask("threads.sync_custom_action", of)
        both.ask("threads.custom_action", of)
    both.ask("threads.custom_action", {"thread_id": thread, "action": {"type": "x"}})
    both.ask("threads.custom_action", {"thread_id": thread, "item_id": items[0]["id"], "action": {"type": "x"}})
    both.ask("threads.sync_custom_action", {"thread_id": thread, "item_id": items[0]["id"], "action": {"type": "x"}})

    # Another answer.
    both.ask("threads.retry_after_item", {"thread_id": thread, "item_id": items[0]["id"]})
    both.ask("items.list", {"thread_id": thread})
    message = both.ask("items.list", {"thread_id": thread})["data"][0]["id"]
    both.ask("threads.retry_after_item", {"thread_id": thread, "item_id": message})

    # Tools of the client.
    both.say("call", thread)
    both.ask("threads.add_client_tool_output", {"thread_id": thread, "result": {"lat": 47.5, "ok": None}})
    both.ask("threads.add_client_tool_output", {"thread_id": thread, "result": 1})
    both.ask("items.list", {"thread_id": thread})

    # Questions.
    for answers in [
        {"answers": {"name": {"values": ["Ada"]}, "size": {"values": ["s", "l"]}, "extras": {"values": ["a", "b"]}, "no": {"values": ["x"]}}},
        {"status": "skipped", "answers": {"name": {"values": ["Ada"]}}},
        {"answers": {"name": {"values": ["Ada"], "skipped": True}, "size": {"values": []}}},
        {},
    ]:
        asked = both.say("ask", thread)[-1]["item"]["id"]
        of = {"thread_id": thread, "item_id": asked, "input": answers}
        both.ask("threads.add_structured_input", of)
        both.ask("threads.add_structured_input", of)
    both.ask("threads.add_structured_input", {"thread_id": thread, "item_id": items[0]["id"], "input": {}})

    # A status is for the component, which takes no more input; the server does as it is told.
    for text in ["lock", "close"]:
        shut = both.say(text)[0]["thread"]["id"]
        both.ask("threads.get_by_id", {"thread_id": shut})
        both.say("static", shut)
        both.ask("threads.update", {"thread_id": shut, "title": "New"})
        both.ask("items.list", {"thread_id": shut})

    # What is hidden stays so.
    hidden = both.say("hidden")[0]["thread"]["id"]
    both.ask("threads.get_by_id", {"thread_id": hidden})
    both.ask("items.list", {"thread_id": hidden})

    # Files.
    for name, mime in [("a.png", "image/png"), ("a.txt", "text/plain")]:
        made = both.ask("attachments.create", {"name": name, "size": 3, "mime_type": mime})
        both.say("hello", thread, attachments=[made["id"]])
        both.ask("attachments.delete", {"attachment_id": made["id"]})
        both.say("hello", thread, attachments=[made["id"]])

    # Titles, feedback, and what is not there.
    both.ask("threads.update", {"thread_id": thread, "title": "New"})
    both.ask("items.feedback", {"thread_id": thread, "item_ids": [items[0]["id"]], "kind": "negative"})
    both.ask("threads.delete", {"thread_id": others[0]})
    both.ask("threads.list", {})
    for type, params in [
        ("threads.get_by_id", {}), ("items.list", {}), ("threads.update", {"title": "x"}),
        ("threads.add_client_tool_output", {"result": 1}),
        ("threads.custom_action", {"action": {"type": "x"}}),
        ("threads.sync_custom_action", {"action": {"type": "x"}}),
        ("threads.retry_after_item", {"item_id": "no_item"}),
    ]:
        both.ask(type, {"thread_id": others[0], **params})
    both.say("hello", others[0])
    for type, params in [
        ("threads.nope", {}), ("threads.list", {"order": "up"}), ("items.list", {}),
        ("threads.create", {"input": {}}), ("items.feedback", {"thread_id": thread, "item_ids": [], "kind": "x"}),
        ("attachments.create", {"name": "a", "size": "large", "mime_type": "text/plain"}),
        ("input.transcribe", {"audio_base64": base64.b64encode(b"x").decode(), "mime_type": "audio/webm"}),
    ]:
        both.ask(type, params)


if __name__ == "__main__":
    main(sys.argv[1])
