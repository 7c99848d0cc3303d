//! Attacks on the file that views and chat are stored in, each with a program of its own on a small disk.
//! Meanwhile nothing may be kept, but calls are answered; afterwards all is kept again, without a restart.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::{Value, json};

use super::attacks::{Outcome, several, wait};
use super::chat::Ordinary;
use super::start;
use crate::error::Error;
use crate::person::Person;
use crate::target::Target;

/// The size of the disk.
const DISK: &str = "size=24m";
/// How long until all is kept again, at most. Connections wait some seconds for a lock.
const HEALS_WITHIN: Duration = Duration::from_secs(30);

pub(super) struct Store {
    pub name: &'static str,
    run: fn(&Target, &Disk) -> Outcome,
    /// Whether what was stored can be lost: then it must be told, and the rest goes on.
    is_lost: bool,
}

/// A disk of its own, with a file of SQLite.
pub(super) struct Disk(PathBuf);

impl Store {
    pub(super) fn set_up(&self, program: &Path, place: &Path) -> Result<(Disk, Target), Error> {
        let disk = place.join("disk");
        fs::create_dir_all(&disk)?;
        let options = ["-t", "tmpfs", "-o", DISK, "none"];
        if !Command::new("mount").args(options).arg(&disk).status()?.success() {
            return Err("no disk can be mounted here".into());
        }
        let disk = Disk(disk);
        let store = format!("sqlite:{}", disk.file("").display());
        Ok((disk, start(program, place, &["--store", &store])?))
    }

    pub(super) fn run(&self, disk: &Disk, t: &Target) -> Outcome {
        keeps(t, "before")?;
        (self.run)(t, disk)?;
        if self.is_lost {
            return tells_or_keeps(t);
        }
        let began = Instant::now();
        loop {
            match keeps(t, &format!("after {}", began.elapsed().as_nanos())) {
                Ok(()) => return Ok(()),
                Err(fault) if began.elapsed() > HEALS_WITHIN => return Err(fault),
                Err(_) => wait(200),
            }
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

impl Disk {
    /// The file, or one that SQLite has next to it: `-wal`, `-shm`.
    fn file(&self, end: &str) -> PathBuf {
        self.0.join(format!("store.db{end}"))
    }

    fn open(&self) -> Result<Connection, String> {
        Connection::open(self.file("")).map_err(|error| error.to_string())
    }

    fn execute(&self, sql: &str) -> Outcome {
        self.open()?.execute_batch(sql).map_err(|error| error.to_string())
    }

    /// Takes all the room that there is, but for this many bytes.
    fn fill(&self, but: usize) -> Outcome {
        let io = |error: std::io::Error| error.to_string();
        let mut rest = File::create(self.0.join("rest")).map_err(io)?;
        while rest.write_all(&[0; 4096]).is_ok() {}
        let length = rest.metadata().map_err(io)?.len();
        rest.set_len(length.saturating_sub(but as u64)).map_err(io)
    }

    fn empty(&self) {
        _ = fs::remove_file(self.0.join("rest"));
    }
}

/// Whether a new view and a new message are kept.
fn keeps(t: &Target, word: &str) -> Outcome {
    let text = |error: std::io::Error| error.to_string();
    let data = json!({ "title": word, "rows": [{ "name": "a" }, { "name": "b" }] });
    let (_, body) = t.call("ordinary", &data).map_err(text)?;
    let answer: Value = serde_json::from_str(&body).map_err(|error| error.to_string())?;
    let uri = answer["result"]["_meta"]["widgetcast/view"]["uri"].as_str();
    let uri = uri.ok_or("a view is not kept")?;
    let read =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": { "uri": uri } });
    let (_, page) = t.post("/mcp", read.to_string().as_bytes()).map_err(text)?;
    if !page.contains(word) {
        return Err(format!("a view is not read: {}", page.chars().take(200).collect::<String>()));
    }
    let chat = Ordinary::new(t)?;
    let shown = chat.turn(word).map_err(text)?;
    let kept = chat.items().map_err(text)?;
    match shown.contains(word) && kept.contains(word) {
        true => Ok(()),
        false => Err("a message is not kept".into()),
    }
}

/// Whether the server answers, and either keeps what is new or tells that it does not.
fn tells_or_keeps(t: &Target) -> Outcome {
    let began = Instant::now();
    while began.elapsed() < HEALS_WITHIN {
        if keeps(t, &format!("after {}", began.elapsed().as_nanos())).is_ok() {
            return Ok(());
        }
        let ready = t.get("/readyz").map(|(_, text)| text).unwrap_or_default();
        let log = fs::read_to_string(&t.log).unwrap_or_default();
        if ready.contains("the store failed") || log.contains("the storage is unavailable") {
            return Ok(());
        }
        wait(200);
    }
    Err("nothing is kept, and neither /readyz nor the log tells".into())
}

/// Calls and messages, whose answers do not matter.
fn load(t: &Target, rounds: usize) {
    _ = several(4, || {
        let ada = Person::new(t);
        for number in 0..rounds {
            let title = format!("{number} {}", "lorem ipsum ".repeat(200));
            _ = t.call("ordinary", &json!({ "title": title, "rows": [] }));
            if let Ok(ada) = &ada {
                ada.ask_for(Person::beginning(&title).as_bytes(), Duration::from_secs(2));
            }
        }
        Ok(())
    });
}

/// Writes over a part of a file.
fn scribble(path: &Path, from: u64, bytes: &[u8]) -> Outcome {
    let write = || -> std::io::Result<()> {
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.seek(SeekFrom::Start(from))?;
        file.write_all(bytes)
    };
    write().map_err(|error| error.to_string())
}

fn truncate(path: &Path) -> Outcome {
    OpenOptions::new()
        .write(true)
        .open(path)
        .and_then(|file| file.set_len(0))
        .map_err(|e| e.to_string())
}

macro_rules! stores {
    ($($name:literal $is_lost:literal $run:expr,)+) => {
        pub(super) const STORES: &[Store] =
            &[$(Store { name: concat!("store: ", $name), run: $run, is_lost: $is_lost },)+];
    };
}

stores! {
    "a full disk, three times" false |t, disk| {
        for _ in 0..3 {
            disk.fill(0)?;
            load(t, 30);
            disk.empty();
            load(t, 2);
        }
        Ok(())
    },
    "a disk with 20 KB left" false |t, disk| {
        disk.fill(20 << 10)?;
        load(t, 60);
        disk.empty();
        Ok(())
    },
    "a disk that its own views and threads fill" false |t, disk| {
        disk.fill(4 << 20)?;
        load(t, 1_000);
        disk.empty();
        Ok(())
    },
    "somebody else holds the lock for 8 seconds" false |t, disk| {
        let other = disk.open()?;
        other.execute_batch("BEGIN EXCLUSIVE").map_err(|error| error.to_string())?;
        std::thread::scope(|scope| {
            scope.spawn(|| load(t, 3));
            wait(8_000);
            other.execute_batch("ROLLBACK").map_err(|error| error.to_string())
        })
    },
    "somebody else takes and returns the lock all the time" false |t, disk| {
        let other = disk.open()?;
        std::thread::scope(|scope| {
            let loaded = scope.spawn(|| load(t, 40));
            while !loaded.is_finished() {
                _ = other.execute_batch("BEGIN IMMEDIATE");
                wait(50);
                _ = other.execute_batch("COMMIT");
            }
        });
        Ok(())
    },
    "a reader that never ends, and so a log that grows" false |t, disk| {
        // What the log takes, the file needs too.
        disk.fill(14 << 20)?;
        let other = disk.open()?;
        _ = other.execute_batch("BEGIN; SELECT count(*) FROM chatkit_items;");
        load(t, 200);
        _ = other.execute_batch("COMMIT");
        disk.empty();
        Ok(())
    },
    "rows that are no JSON" false |t, disk| {
        load(t, 5);
        disk.execute("UPDATE chatkit_threads SET data = '{'; UPDATE chatkit_items SET data = 'x'; UPDATE widgetcast_entries SET data = '[';")?;
        load(t, 5);
        Ok(())
    },
    "rows of JSON nested 100,000 deep" false |t, disk| {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        disk.execute(&format!("UPDATE chatkit_threads SET data = '{deep}'; UPDATE chatkit_items SET data = '{deep}'; UPDATE widgetcast_entries SET data = '{deep}';"))?;
        load(t, 5);
        Ok(())
    },
    "rows of 4 MB" false |t, disk| {
        let long = format!("\"{}\"", "a".repeat(4 << 20));
        disk.execute(&format!("UPDATE chatkit_threads SET data = '{long}' WHERE rowid = 1; UPDATE chatkit_items SET data = '{long}' WHERE rowid = 1; UPDATE widgetcast_entries SET data = '{long}' WHERE rowid = 1;"))?;
        load(t, 5);
        Ok(())
    },
    "rows of other types" false |t, disk| {
        disk.execute("UPDATE chatkit_threads SET position = 'soon', data = x'ff00'; UPDATE chatkit_items SET position = 1e300, data = 7;")?;
        load(t, 5);
        Ok(())
    },
    "a table that is gone" true |t, disk| {
        disk.execute("DROP TABLE chatkit_items")?;
        load(t, 5);
        Ok(())
    },
    "a page in the middle is overwritten" true |t, disk| {
        load(t, 20);
        disk.execute("PRAGMA wal_checkpoint(TRUNCATE)")?;
        let size = fs::metadata(disk.file("")).map_or(0, |data| data.len());
        (1..size / 8192).try_for_each(|n| scribble(&disk.file(""), n * 8192, &[0xa5; 4096]))?;
        load(t, 20);
        Ok(())
    },
    "the first page is overwritten" true |t, disk| {
        disk.execute("PRAGMA wal_checkpoint(TRUNCATE)")?;
        scribble(&disk.file(""), 0, &[0xa5; 4096])?;
        load(t, 20);
        Ok(())
    },
    "the log is overwritten" true |t, disk| {
        load(t, 20);
        scribble(&disk.file("-wal"), 4096, &[0xa5; 1 << 16])?;
        load(t, 20);
        Ok(())
    },
    "the file is cut to nothing" true |t, disk| {
        truncate(&disk.file(""))?;
        load(t, 20);
        Ok(())
    },
    "the file and its log are removed" true |t, disk| {
        for end in ["", "-wal", "-shm"] {
            _ = fs::remove_file(disk.file(end));
        }
        load(t, 20);
        Ok(())
    },
    "a folder and a FIFO in the place of the log" true |t, disk| {
        for end in ["-wal", "-shm"] {
            _ = fs::remove_file(disk.file(end));
        }
        _ = fs::create_dir(disk.file("-wal"));
        _ = Command::new("mkfifo").arg(disk.file("-shm")).status();
        load(t, 20);
        Ok(())
    },
    "another file is put in its place" true |t, disk| {
        let other = disk.0.join("other.db");
        Connection::open(&other).and_then(|other| other.execute_batch("CREATE TABLE t (a)")).map_err(|e| e.to_string())?;
        fs::rename(&other, disk.file("")).map_err(|error| error.to_string())?;
        load(t, 20);
        Ok(())
    },
}
