//! Notifications to the client while a handler runs: progress and log messages.

use serde_json::{Value, json};

use super::context::Ctx;
use super::log_level::LogLevel;

/// The `_meta` key of the client's log level in 2026-07-28.
const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

/// The progress of work: the part that is done and, if known, the total. Converts from a number or a pair
/// of numbers.
///
/// ```
/// use widgetcast::client::Progress;
///
/// assert_eq!(Progress::from((1, 3)), Progress::from((1.0, 3.0)));
/// assert_ne!(Progress::from(1), Progress::from((1, 3)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    done: f64,
    total: Option<f64>,
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl From<$number> for Progress {
            fn from(done: $number) -> Self {
                Self { done: done as f64, total: None }
            }
        }

        impl From<($number, $number)> for Progress {
            fn from((done, total): ($number, $number)) -> Self {
                Self { done: done as f64, total: Some(total as f64) }
            }
        }
    )*};
}
numbers!(f64, f32, i32, i64, u8, u16, u32, u64, usize);

impl Ctx {
    /// Reports progress to the caller, if it asked for it. The value must increase with every report. For a
    /// task, the text becomes its status message.
    ///
    /// ```
    /// # async fn work(ctx: widgetcast::Ctx, pages: Vec<String>) {
    /// ctx.progress(1, "connected").await;
    /// for (done, page) in pages.iter().enumerate() {
    ///     ctx.progress((done, pages.len()), format!("reading {page}")).await;
    /// }
    /// # }
    /// ```
    pub async fn progress(&self, progress: impl Into<Progress>, text: impl AsRef<str>) {
        if self.line().is_task() {
            self.line().touch(Some(text.as_ref().to_owned()).filter(|text| !text.is_empty()));
        }
        let is_token = |token: &&Value| token.is_string() || token.is_number();
        let Some(token) = self.meta("progressToken").filter(is_token) else { return };
        let (Progress { done, total }, text) = (progress.into(), text.as_ref());
        let mut params = json!({ "progressToken": token, "progress": done });
        if let Some(total) = total {
            params["total"] = json!(total);
        }
        if !text.is_empty() {
            params["message"] = json!(text);
        }
        self.line().notify("notifications/progress", params).await;
    }

    /// Sends a log message, a string or any JSON value, to the client, if the client has requested
    /// messages of this level; it does not appear in the server's log.
    pub async fn log(&self, level: LogLevel, data: impl Into<Value>) {
        if self.wanted_level().is_some_and(|wanted| level >= wanted) {
            let params =
                json!({ "level": level.name(), "logger": self.name(), "data": data.into() });
            self.line().notify("notifications/message", params).await;
        }
    }

    fn wanted_level(&self) -> Option<LogLevel> {
        match self.line().is_modern() {
            true => LogLevel::find(self.meta(LOG_LEVEL)?.as_str()?),
            false => self.log_level(),
        }
    }
}
