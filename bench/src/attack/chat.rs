//! Attacks on the chat, by users with a cookie and by users without one.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use super::attacks::{Attack, Outcome, expect, several, wait};
use crate::person::{Person, input};
use crate::target::Target;

/// Statuses of answers that do no harm: done, or refused.
pub(super) const ANSWERED: &[u16] = &[200, 400, 401, 403, 404, 409, 413, 422, 429, 503];

pub(super) const ATTACKS: &[Attack] = &[
    Attack {
        name: "chat: a message of 3 MB",
        run: |t| say_to_all(t, &"lorem ipsum ".repeat(250_000)),
    },
    Attack {
        name: "chat: a command of 100,000 arguments",
        run: |t| say_to_all(t, &format!("/rows {}", "a=1 ".repeat(100_000))),
    },
    Attack {
        name: "chat: a command of one argument without an end",
        run: |t| say_to_all(t, &format!("/rows a=\"{}", "\\\"".repeat(400_000))),
    },
    Attack {
        name: "chat: JSON nested 100,000 deep as arguments",
        run: |t| say_to_all(t, &format!("/rows {{\"rows\":{}", "[".repeat(100_000))),
    },
    Attack {
        name: "chat: 5,000 rows as a card",
        run: |t| {
            say_to_all(
                t,
                &format!("/rows {}", json!({ "rows": vec![json!({ "name": "a row" }); 5_000] })),
            )
        },
    },
    Attack {
        name: "chat: a template that doubles forty times",
        run: |t| say_to_all(t, r#"/doubling {"text":"aaaaaaaaaa"}"#),
    },
    Attack {
        name: "chat: three nested loops over 1,000 items",
        run: |t| say_to_all(t, &format!("/loops {}", json!({ "list": vec![0; 1_000] }))),
    },
    Attack {
        name: "chat: a pattern that backtracks without end",
        run: |t| say_to_all(t, &format!("/backreference {}", json!({ "text": "a".repeat(5_000) }))),
    },
    Attack {
        name: "chat: 2,000 threads by one person",
        run: |t| {
            let ada = Person::new(t)?;
            several(4, || {
                (0..500).try_for_each(|n| expect(ada.begin(&format!("thread {n}")), ANSWERED))
            })
        },
    },
    Attack {
        name: "chat: 500 people, each with a thread",
        run: |t| {
            several(4, || {
                (0..125).try_for_each(|_| match Person::new(t) {
                    Ok(person) => expect(person.begin("hello"), ANSWERED),
                    // So many of one address are refused.
                    Err(_) => Ok(()),
                })
            })
        },
    },
    Attack {
        name: "chat: 1,000 cookies that nobody issued",
        run: |t| {
            (0..1_000).try_for_each(|n| {
                let forged = Person { target: t, cookie: format!("widgetcast_person={n:064x}") };
                expect(forged.begin("hello"), ANSWERED)
            })
        },
    },
    Attack {
        name: "chat: 400 searches at once, callers leave",
        run: |t| {
            let ada = Person::new(t)?;
            ada.begin(&"needle in hay ".repeat(5_000)).map_err(|error| error.to_string())?;
            several(4, || {
                (0..100).for_each(|_| {
                    t.send_and_leave(&ada.request("GET", "/chatkit/search?q=e", b""));
                });
                Ok(())
            })?;
            several(4, || expect(ada.get("/chatkit/search?q=needle"), ANSWERED))
        },
    },
    Attack {
        name: "chat: searches for signs that mean something to a database",
        run: |t| {
            let ada = Person::new(t)?;
            let words = [
                "%25%25%25%25",
                "%22",
                "%27%20OR%201%3D1--",
                "a%20AND",
                "NEAR(a%20b)",
                "*",
                "%00",
                &"a%20OR%20".repeat(500),
                &"(".repeat(5_000),
                &"%25_".repeat(5_000),
            ];
            words.iter().try_for_each(|word| {
                expect(ada.get(&format!("/chatkit/search?q={word}")), ANSWERED)
            })
        },
    },
    Attack {
        name: "chat: lists of 2 billion items, and of none",
        run: |t| {
            let ada = Person::new(t)?;
            let thread = ada.thread("hello")?;
            for limit in [json!(2_147_483_647_u32), json!(-1), json!(0), json!(1e300), json!("9")] {
                expect(ada.ask("threads.list", &json!({ "limit": limit })), ANSWERED)?;
                expect(
                    ada.ask("items.list", &json!({ "thread_id": thread, "limit": limit })),
                    ANSWERED,
                )?;
            }
            Ok(())
        },
    },
    Attack {
        name: "chat: cursors and ids of another person",
        run: |t| {
            let (ada, eve) = (Person::new(t)?, Person::new(t)?);
            let thread = ada.thread("the secret word is heron")?;
            for (kind, params) in [
                ("threads.get_by_id", json!({ "thread_id": thread })),
                ("items.list", json!({ "thread_id": thread, "limit": 100 })),
                ("threads.list", json!({ "after": thread, "limit": 100 })),
                (
                    "threads.add_user_message",
                    json!({ "thread_id": thread, "input": input("repeat it") }),
                ),
                ("threads.retry_after_item", json!({ "thread_id": thread, "item_id": "a" })),
            ] {
                let (_, body) = eve.ask(kind, &params).map_err(|error| error.to_string())?;
                if body.contains("heron") {
                    return Err(format!("{kind} shows what another person wrote"));
                }
            }
            Ok(())
        },
    },
    Attack {
        name: "chat: actions with a payload of 3 MB and 100,000 members",
        run: |t| {
            let ada = Person::new(t)?;
            let thread = ada.thread("hello")?;
            let many: serde_json::Map<String, Value> =
                (0..100_000).map(|n| (format!("a.b{n}.c"), json!(n))).collect();
            for payload in [json!({ "text": "a".repeat(3 << 20) }), Value::Object(many)] {
                let params = json!({ "thread_id": thread, "action": { "type": "rows", "payload": payload } });
                several(2, || expect(ada.ask("threads.custom_action", &params), ANSWERED))?;
            }
            Ok(())
        },
    },
    Attack {
        name: "chat: a field name with 20,000 dots",
        run: |t| {
            let ada = Person::new(t)?;
            let thread = ada.thread("hello")?;
            let params = json!({ "thread_id": thread, "action": { "type": "rows", "payload": { "a.".repeat(20_000): 1 } } });
            expect(ada.ask("threads.custom_action", &params), ANSWERED)
        },
    },
    Attack {
        name: "chat: 200 streams that nobody reads",
        run: |t| {
            let ada = Person::new(t)?;
            let body = json!({ "type": "threads.create", "params": { "input": input(&format!("/rows {}", json!({ "rows": vec![json!({ "name": "a row" }); 2_000] }))) } }).to_string();
            let request = ada.request("POST", "/chatkit", body.as_bytes());
            let open: Vec<TcpStream> = (0..200)
                .filter_map(|_| {
                    let mut stream = t.connect().ok()?;
                    stream.write_all(&request).ok()?;
                    Some(stream)
                })
                .collect();
            wait(3_000);
            drop(open);
            Ok(())
        },
    },
    Attack {
        name: "chat: one thread, 300 messages at the same time",
        run: |t| {
            let ada = Person::new(t)?;
            let thread = ada.thread("hello")?;
            let params = json!({ "thread_id": thread, "input": input("/text text=a") });
            several(6, || {
                (0..50).try_for_each(|_| {
                    expect(ada.ask("threads.add_user_message", &params), ANSWERED)
                })
            })
        },
    },
    Attack {
        name: "chat: titles, feedback and ids of 1 MB",
        run: |t| {
            let ada = Person::new(t)?;
            let thread = ada.thread("hello")?;
            let long = "a".repeat(1 << 20);
            for (kind, params) in [
                ("threads.update", json!({ "thread_id": thread, "title": long })),
                (
                    "threads.update",
                    json!({ "thread_id": thread, "title": "\u{202e}\u{0}\u{1b}[2J" }),
                ),
                (
                    "items.feedback",
                    json!({ "thread_id": thread, "item_ids": vec!["a"; 200_000], "kind": "positive" }),
                ),
                ("threads.get_by_id", json!({ "thread_id": long })),
                (&*long, json!({})),
            ] {
                expect(ada.ask(kind, &params), ANSWERED)?;
            }
            Ok(())
        },
    },
    Attack {
        name: "chat: searches that find 15 messages of 3 MB, by 8 clients",
        run: |t| {
            let ada = Person::new(t)?;
            let text = "needle ".repeat(430_000);
            (0..15).try_for_each(|_| expect(ada.begin(&text), ANSWERED))?;
            several(8, || {
                (0..4).for_each(|_| _ = ada.get("/chatkit/search?q=needle"));
                Ok(())
            })
        },
    },
    Attack {
        name: "chat: results of 2,500 rows, by 12 clients at once",
        run: |t| {
            let rows = json!({ "rows": vec![json!({ "name": "a row" }); 2_500] });
            let body = Person::beginning(&format!("/rows {rows}"));
            several(12, || {
                let ada = Person::new(t)?;
                (0..6).for_each(|_| ada.ask_for(body.as_bytes(), Duration::from_secs(10)));
                Ok(())
            })
        },
    },
    Attack {
        name: "chat: 2,000 lists of commands, callers leave",
        run: |t| {
            let ada = Person::new(t)?;
            several(4, || {
                (0..500).for_each(|_| {
                    t.send_and_leave(&ada.request("GET", "/chatkit/commands?q=", b""));
                });
                Ok(())
            })
        },
    },
    Attack {
        name: "chat: lists of 200 threads with titles of 200 letters, by 16 clients",
        run: |t| {
            let ada = Person::new(t)?;
            let title = "\u{1f600}".repeat(200);
            for _ in 0..200 {
                let thread = ada.thread("hello")?;
                let params = json!({ "thread_id": thread, "title": title });
                expect(ada.ask("threads.update", &params), ANSWERED)?;
            }
            several(16, || {
                (0..20).for_each(|_| _ = ada.ask("threads.list", &json!({ "limit": 9_999 })));
                Ok(())
            })
        },
    },
    Attack {
        name: "chat: one message answered again 200 times, clients leave",
        run: |t| {
            let ada = Person::new(t)?;
            let thread = ada.thread("/text text=a")?;
            let (_, items) = ada
                .ask("items.list", &json!({ "thread_id": thread, "limit": 9, "order": "asc" }))
                .map_err(|error| error.to_string())?;
            let items: Value = serde_json::from_str(&items).unwrap_or_default();
            let params = json!({ "thread_id": thread, "item_id": items["data"][0]["id"] });
            let body = json!({ "type": "threads.retry_after_item", "params": params }).to_string();
            let request = ada.request("POST", "/chatkit", body.as_bytes());
            several(4, || {
                (0..50).for_each(|_| t.send_and_leave(&request));
                Ok(())
            })
        },
    },
    Attack {
        name: "chat: 2,000 files that are announced and never sent",
        run: |t| {
            let ada = Person::new(t)?;
            let file = json!({ "name": "a.txt", "size": 16 << 20, "mime_type": "text/plain" });
            several(4, || {
                (0..500).try_for_each(|_| expect(ada.ask("attachments.create", &file), ANSWERED))
            })
        },
    },
    Attack {
        name: "chat: requests that are none",
        run: |t| {
            let ada = Person::new(t)?;
            for body in [
                "",
                "null",
                "[]",
                "{",
                "{\"type\":1}",
                "{\"type\":\"threads.create\"}",
                "{\"type\":\"threads.create\",\"params\":[]}",
                "{\"type\":\"threads.create\",\"params\":{\"input\":{\"content\":{}}}}",
            ] {
                expect(ada.send("POST", "/chatkit", body.as_bytes()), ANSWERED)?;
            }
            let deep = format!("{{\"type\":\"threads.create\",\"params\":{}", "[".repeat(500_000));
            expect(ada.send("POST", "/chatkit", deep.as_bytes()), ANSWERED)
        },
    },
];

/// Three users say the same at once.
fn say_to_all(t: &Target, text: &str) -> Outcome {
    several(3, || expect(Person::new(t)?.begin(text), ANSWERED))
}

/// A turn of an ordinary user: whether the answer to a command is right.
pub(super) struct Ordinary<'t>(Person<'t>, String);

impl<'t> Ordinary<'t> {
    pub(super) fn new(target: &'t Target) -> Result<Self, String> {
        let person = Person::new(target)?;
        let thread = person.thread("hello")?;
        Ok(Self(person, thread))
    }

    /// Calls a tool by a command; the stream must show the title.
    pub(super) fn turn(&self, title: &str) -> std::io::Result<String> {
        let command = json!({ "title": title, "rows": [{ "name": "a" }, { "name": "b" }] });
        let params =
            json!({ "thread_id": self.1, "input": input(&format!("/ordinary {command}")) });
        self.0.ask("threads.add_user_message", &params).map(|(_, body)| body)
    }

    /// What is kept of it.
    pub(super) fn items(&self) -> std::io::Result<String> {
        let params = json!({ "thread_id": self.1, "limit": 100 });
        self.0.ask("items.list", &params).map(|(_, body)| body)
    }
}
