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
/// The CPU time that each server is to use: much more than the precision of the measure.
const ENOUGH: Duration = Duration::from_secs(3);
/// Calls between two looks at the time.
const BLOCK: u32 = 100;

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

    /// The CPU time so far.
    fn cpu(&self) -> Duration {
        ticks(self.process.id())
    }
}

/// A connection that stays open, and what is asked over it.
struct Line {
    stream: TcpStream,
    buffer: Vec<u8>,
    request: Vec<u8>,
}

impl Line {
    fn call(&mut self) -> Result {
        self.stream.write_all(&self.request)?;
        let answer = read_one(&mut self.stream, &mut self.buffer)?;
        match answer.status == 200 && answer.body.contains("\"isError\":false") {
            true => Ok(()),
            false => Err(format!("{}: {:.300}", answer.status, answer.body).into()),
        }
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
    let servers = [Server::start(NONE)?, Server::start(&provider.issuer)?];
    let requests = [request(&body, None), request(&body, Some(&token))];
    let mut lines = Vec::new();
    for (server, request) in servers.iter().zip(requests) {
        lines.push(Line { stream: server.connect()?, buffer: Vec::new(), request });
    }
    // Once before: the keys are fetched, and the token is verified.
    for _ in 0..50 {
        lines.iter_mut().try_for_each(Line::call)?;
    }
    let before = servers.each_ref().map(Server::cpu);
    let spent = || [0, 1].map(|at: usize| servers[at].cpu().saturating_sub(before[at]));
    let mut count = 0_u32;
    // Call by call in turns, so that whatever else the machine does meets both.
    while spent()[0] < ENOUGH {
        for _ in 0..BLOCK {
            lines.iter_mut().try_for_each(Line::call)?;
        }
        count += BLOCK;
    }
    let [without, with] = spent().map(|spent| spent.as_secs_f64() * 1e6 / f64::from(count));
    let (ratio, bytes) = (with / without, token.len());
    println!("{count} calls: {without:.1} µs without, {with:.1} µs with a token of {bytes} bytes");
    println!("ratio {ratio:.3}; the goal is at most {GOAL}");
    match ratio <= GOAL {
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
