//! Three processes with PostgreSQL or Redis behind nginx, as docs/deploy.md has it: what one has shown, any
//! of them reads. One is killed and started again, then all are replaced one after the other, while clients
//! call; and the database is cut off, and restarted. `WIDGETCAST_TEST_CALLS=100000` makes it long.

#![allow(clippy::unwrap_used)]
#![cfg(unix)]

mod kill;
mod process;
#[path = "../../../store/tests/store/servers/mod.rs"]
mod servers;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use process::{CARD, Client, Replica, Running, wait_until};

const CLIENTS: usize = 8;
const DEFAULT_CALLS: usize = 600;
/// How long the database is cut off.
const CUT: Duration = Duration::from_secs(10);

/// nginx with the configuration of the document, for these processes.
fn nginx(program: &Path, dir: &Path, port: u16, replicas: &[Replica]) -> Running {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/deploy.md");
    let document = std::fs::read_to_string(document).unwrap();
    let mut block =
        document.split("```nginx\n").nth(1).unwrap().split("```").next().unwrap().to_owned();
    for (number, replica) in replicas.iter().enumerate() {
        let example = format!("10.0.0.{}:8000", number + 1);
        assert!(block.contains(&example));
        block = block.replace(&example, &format!("127.0.0.1:{}", replica.port));
    }
    block = block.replace("listen 80;", &format!("listen 127.0.0.1:{port};"));
    let at = dir.display();
    let config = format!(
        "daemon off; master_process off; pid {at}/nginx.pid; error_log {at}/error.log;\n\
         events {{ worker_connections 512; }}\n\
         http {{ access_log off; client_body_temp_path {at}/body; proxy_temp_path {at}/proxy;\n\
         fastcgi_temp_path {at}/f; uwsgi_temp_path {at}/u; scgi_temp_path {at}/s;\n{block}\n}}\n"
    );
    let path = dir.join("nginx.conf");
    std::fs::write(&path, config).unwrap();
    let child = Command::new(program).arg("-c").arg(&path).stderr(Stdio::null()).spawn().unwrap();
    wait_until(|| ureq::get(&format!("http://127.0.0.1:{port}/healthz")).call().is_ok());
    Running(child)
}

/// What the clients have done.
#[derive(Default)]
struct Log {
    next: AtomicUsize,
    lost: AtomicUsize,
    shown: Mutex<Vec<(String, String)>>,
}

impl Log {
    /// Calls at least so many times from several clients while `meanwhile` happens; how many were lost.
    fn call(&self, port: u16, calls: usize, meanwhile: impl FnOnce()) -> usize {
        let (end, is_over) = (self.next.load(Ordering::Relaxed) + calls, AtomicBool::new(false));
        let before = self.lost.load(Ordering::Relaxed);
        std::thread::scope(|scope| {
            for _ in 0..CLIENTS {
                scope.spawn(|| {
                    let client = Client::new(port);
                    loop {
                        let number = self.next.fetch_add(1, Ordering::Relaxed);
                        if number >= end && is_over.load(Ordering::Relaxed) {
                            return;
                        }
                        let text = format!("card number {number}.");
                        let Some(uri) = client.show(&text) else {
                            self.lost.fetch_add(1, Ordering::Relaxed);
                            continue;
                        };
                        // The next one that nginx asks is another process.
                        if !client.reads(&uri, &text) {
                            self.lost.fetch_add(1, Ordering::Relaxed);
                        }
                        self.shown.lock().unwrap().push((uri, text));
                    }
                });
            }
            meanwhile();
            is_over.store(true, Ordering::Relaxed);
        });
        self.lost.load(Ordering::Relaxed) - before
    }

    fn is_all_there(&self, port: u16) {
        let shown = self.shown.lock().unwrap();
        std::thread::scope(|scope| {
            for part in shown.chunks(shown.len().div_ceil(CLIENTS)) {
                scope.spawn(move || {
                    let client = Client::new(port);
                    for (uri, text) in part {
                        assert!(client.reads(uri, text), "{text} is lost");
                    }
                });
            }
        });
    }
}

/// Three processes with a store, behind nginx.
struct Site {
    dir: tempfile::TempDir,
    replicas: [Replica; 3],
    port: u16,
    _nginx: Running,
}

impl Site {
    /// None if nginx is not installed.
    fn start(store: &str) -> Option<Self> {
        let program = servers::program("nginx", "nginx-light")?;
        let dir = tempfile::tempdir().unwrap();
        let widgets = dir.path().join("widgets");
        std::fs::create_dir(&widgets).unwrap();
        std::fs::write(widgets.join("card.widget"), CARD).unwrap();
        let mut replicas = [(); 3].map(|()| Replica {
            port: servers::free_port(),
            dir: widgets.clone(),
            store: store.to_owned(),
            running: None,
        });
        replicas.iter_mut().for_each(Replica::start);
        let port = servers::free_port();
        let _nginx = nginx(&program, dir.path(), port, &replicas);
        Some(Self { dir, replicas, port, _nginx })
    }

    /// Calls while nothing happens, while one process is killed and while all are replaced.
    fn roll_out(mut self, calls: usize) {
        let (port, log) = (self.port, Log::default());
        assert_eq!(log.call(port, calls, || {}), 0, "all is well");
        let replicas = &mut self.replicas;
        let killed = log.call(port, calls, || {
            replicas[0].signal("-KILL");
            std::thread::sleep(Duration::from_millis(200));
            replicas[0].start();
        });
        assert!(killed <= CLIENTS, "{killed} were lost, and at most {CLIENTS} were on their way");
        log.is_all_there(port);
        let rolled = log.call(port, calls, || replicas.iter_mut().for_each(Replica::replace));
        let errors = std::fs::read_to_string(self.dir.path().join("error.log")).unwrap_or_default();
        assert_eq!(rolled, 0, "a rollout loses no request; nginx says:\n{errors}");
        log.is_all_there(port);
        let (calls, shown) = (log.next.load(Ordering::Relaxed), log.shown.lock().unwrap().len());
        say(&format!(
            "{calls} calls, {shown} shown and read; {killed} lost by a kill, 0 by a rollout"
        ));
    }
}

/// Past what the test harness catches.
fn say(words: &str) {
    std::io::Write::write_all(&mut std::io::stderr(), format!("{words}\n").as_bytes()).unwrap();
}

fn calls() -> usize {
    std::env::var("WIDGETCAST_TEST_CALLS").map_or(DEFAULT_CALLS, |text| text.parse().unwrap())
}

#[test]
fn any_replica_reads_what_one_has_shown() {
    let Some(database) = servers::postgres() else { return };
    let store = format!("postgres://postgres@127.0.0.1:{}/postgres", database.port);
    let Some(site) = Site::start(&store) else { return };
    site.roll_out(calls() / 3);
}

#[test]
fn redis_is_enough_for_replicas() {
    let Some(database) = servers::redis() else { return };
    let Some(site) = Site::start(&format!("redis://127.0.0.1:{}/0", database.port)) else { return };
    site.roll_out(calls() / 6);
}

/// While the database is away, calls go on with results that no one can read again, and nothing
/// that was acknowledged is lost.
#[test]
fn replicas_outlive_an_outage_of_the_database() {
    let Some(database) = servers::new_postgres() else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let cable = runtime.block_on(servers::Cable::new(database.port));
    let store = format!("postgres://postgres@127.0.0.1:{}/postgres", cable.port);
    let Some(site) = Site::start(&store) else { return };
    let (client, mut shown) = (Client::new(site.port), Vec::new());
    let show = |number: usize| {
        let text = format!("card number {number}.");
        (client.show(&text).unwrap(), text)
    };
    shown.extend((0..20).map(show));

    let is_kept = |result: &Value| result["_meta"]["widgetcast/view"]["uri"].is_string();
    let mut alone = 0;
    let mut is_away = || {
        for round in 0..2 {
            for _ in 0..5 {
                let tools = client.ask("tools/list", &json!({})).expect("needs no store");
                assert_eq!(tools["tools"][0]["name"], "card");
            }
            // The result is whole, but no one can read it again.
            let result = client.call(&format!("alone {round}")).expect("an answer");
            assert_eq!(result["content"][0]["text"], format!("alone {round}"));
            assert!(!is_kept(&result), "{result}");
            alone += 1;
        }
    };
    let works_again = |shown: &mut Vec<(String, String)>| {
        wait_until(|| client.call("again").is_some_and(|result| is_kept(&result)));
        shown.extend((shown.len()..shown.len() + 20).map(show));
        for (uri, text) in &*shown {
            assert!(client.reads(uri, text), "{text} is lost");
        }
    };
    let cut = std::time::Instant::now();
    cable.cut();
    is_away();
    std::thread::sleep(CUT.saturating_sub(cut.elapsed()));
    cable.mend();
    works_again(&mut shown);
    database.stop();
    is_away();
    database.run();
    works_again(&mut shown);
    say(&format!("cut off and restarted: {alone} cards not kept, {} cards read", shown.len()));
    database.stop();
}
