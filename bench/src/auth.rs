//! `auth`: what a valid access token costs. Two servers, one of which takes callers with tokens alone,
//! answer the same call over connections that stay open, in turns; the CPU time of the two is compared.
//! `auth-server PORT ISSUER` is one of them.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use widgetcast::App;
use widgetcast_core::Catalog;
use widgetcast_oauth::OAuth;

use crate::compare::process::{free_port, ticks};
use crate::error::Result;
use crate::target::{PATIENCE, call, read_one};

/// What a call with a token may cost, in calls without.
const GOAL: f64 = 1.2;
const AUDIENCE: &str = "http://localhost/mcp";
const ROUNDS: usize = 8;
/// The CPU time that one server is to use in a round: much more than the precision of the measure.
const SLICE: Duration = Duration::from_millis(200);

/// Stands for the issuer where there is none.
const NONE: &str = "-";

/// Serves one widget, to everyone or to callers with a token of this issuer.
pub(crate) fn serve(port: u16, issuer: &str) -> Result {
    let mut app = App::new("bench", "1.0.0").catalog(Catalog::from_file(widget()));
    if issuer != NONE {
        app = app.auth(OAuth::discover(issuer).audience(AUDIENCE));
    }
    let app = app.build()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    Ok(runtime.block_on(app.serve_http(("127.0.0.1", port)))?)
}

/// A server in a process of its own.
struct Server {
    process: Child,
    port: u16,
}

impl Server {
    fn start(issuer: &str) -> Result<Self> {
        let port = free_port()?;
        let args = ["auth-server", &port.to_string(), issuer];
        let process = Command::new(std::env::current_exe()?).args(args).spawn()?;
        let server = Self { process, port };
        let began = Instant::now();
        while server.connect().is_err() {
            if began.elapsed() > PATIENCE {
                return Err("the server does not listen".into());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(server)
    }

    fn connect(&self) -> std::io::Result<TcpStream> {
        let stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    /// The CPU time that it uses for so many calls.
    fn cpu_of(&self, request: &[u8], count: usize) -> Result<Duration> {
        let mut stream = self.connect()?;
        let mut buffer = Vec::new();
        let before = ticks(self.process.id());
        for _ in 0..count {
            stream.write_all(request)?;
            let answer = read_one(&mut stream, &mut buffer)?;
            if answer.status != 200 || !answer.body.contains("\"isError\":false") {
                return Err(format!("{}: {:.300}", answer.status, answer.body).into());
            }
        }
        Ok(ticks(self.process.id()).saturating_sub(before))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

pub(crate) fn run() -> Result {
    let provider = Provider::start()?;
    let token = provider.token()?;
    let widget: Value = serde_json::from_str(&std::fs::read_to_string(widget())?)?;
    let body = call("flight_tracker", &widget["sample"]);
    let calls = [
        (Server::start(NONE)?, request(&body, None)),
        (Server::start(&provider.issuer)?, request(&body, Some(&token))),
    ];

    // Once before: the keys are fetched, the token is verified, and it is known how many make a slice.
    let mut each = [Duration::ZERO; 2];
    for (each, (server, request)) in each.iter_mut().zip(&calls) {
        server.cpu_of(request, 50)?;
        *each = server.cpu_of(request, 400)? / 400;
    }
    let count = SLICE.as_nanos() / each[0].max(Duration::from_micros(5)).as_nanos();
    let count = usize::try_from(count)?.clamp(400, 50_000);
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let mut spent = [0.0; 2];
        for (spent, (server, request)) in spent.iter_mut().zip(&calls) {
            *spent = server.cpu_of(request, count)?.as_secs_f64() / count as f64;
        }
        println!(
            "{count} calls: {:6.1} µs without, {:6.1} µs with a token of {} bytes: {:.3}",
            spent[0] * 1e6,
            spent[1] * 1e6,
            token.len(),
            spent[1] / spent[0]
        );
        ratios.push(spent[1] / spent[0]);
    }
    ratios.sort_by(f64::total_cmp);
    let median = f64::midpoint(ratios[ROUNDS / 2 - 1], ratios[ROUNDS / 2]);
    println!("median {median:.3}; the goal is at most {GOAL}");
    match median <= GOAL {
        true => Ok(()),
        false => Err("a call with a token costs too much".into()),
    }
}

fn widget() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/cli/widgets/flight_tracker.widget")
}

fn request(body: &str, token: Option<&str>) -> Vec<u8> {
    let authorization =
        token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{authorization}\
         accept: application/json, text/event-stream\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// A provider with one key.
struct Provider {
    issuer: String,
    key: Ed25519KeyPair,
}

impl Provider {
    fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let issuer = format!("http://{}", listener.local_addr()?);
        let key =
            Ed25519KeyPair::from_seed_unchecked(&[7; 32]).map_err(|error| error.to_string())?;
        let keys = json!({ "keys": [{
            "kty": "OKP", "crv": "Ed25519", "kid": "1", "x": URL_SAFE_NO_PAD.encode(key.public_key()),
        }] });
        let about = json!({ "issuer": issuer, "jwks_uri": format!("{issuer}/keys") });
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut buffer = [0; 4096];
                let read = stream.read(&mut buffer).unwrap_or(0);
                let is_keys = buffer[..read].starts_with(b"GET /keys");
                let body = if is_keys { &keys } else { &about }.to_string();
                let length = body.len();
                let head =
                    format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {length}");
                _ = write!(stream, "{head}\r\n\r\n{body}");
            }
        });
        Ok(Self { issuer, key })
    }

    /// A token as large as those of providers are.
    fn token(&self) -> Result<String> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_secs();
        let header = json!({ "alg": "EdDSA", "typ": "at+jwt", "kid": "1" });
        let claims = json!({
            "iss": self.issuer, "aud": AUDIENCE, "sub": "ada", "exp": now + 3600, "iat": now,
            "scope": "openid profile email tickets:read tickets:write offline_access",
            "email": "ada@example.com", "name": "Ada Lovelace", "sid": "0".repeat(36),
            "client_id": "c".repeat(32), "groups": ["one", "two", "three"], "pad": "p".repeat(250),
        });
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let message = format!("{}.{}", part(&header), part(&claims));
        let signature = self.key.sign(message.as_bytes());
        Ok(format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature.as_ref())))
    }
}
