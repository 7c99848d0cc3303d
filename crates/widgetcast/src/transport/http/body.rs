//! Bodies: a response has a text or a stream, a request is read completely.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _};
use http_body::{Frame, SizeHint};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, StreamBody};

use crate::metrics::{Held, Metrics};

/// Larger bodies count as buffered. Smaller ones are bounded by the number of connections, which have at most
/// one each.
pub(super) const SMALL: usize = 16 << 10;

/// The body of a request to a mounted service: see [`Visitor`](crate::http::Visitor).
pub type RequestBody = UnsyncBoxBody<Bytes, std::io::Error>;

/// The body of a response: see [`App::mount`](crate::App::mount).
///
/// ```
/// use widgetcast::http::Body;
///
/// let whole = Body::from("Good day.");
/// let chunks = ["id,item\n", "1,Olive oil\n"].map(bytes::Bytes::from);
/// let streamed = Body::stream(futures_util::stream::iter(chunks));
/// ```
#[derive(Debug)]
pub struct Body(Form);

#[derive(Debug)]
enum Form {
    Whole(Option<Bytes>),
    Stream(UnsyncBoxBody<Bytes, Infallible>),
}

impl Body {
    pub(super) fn boxed(
        body: impl http_body::Body<Data = Bytes, Error = Infallible> + Send + 'static,
    ) -> Self {
        Self(Form::Stream(body.boxed_unsync()))
    }

    /// A streaming body.
    pub fn stream(events: impl Stream<Item = Bytes> + Send + 'static) -> Self {
        Self::boxed(StreamBody::new(events.map(|bytes| Ok(Frame::data(bytes)))))
    }
}

impl Body {
    /// Its length; none for a stream.
    pub(super) fn len(&self) -> usize {
        match &self.0 {
            Form::Whole(bytes) => bytes.as_ref().map_or(0, Bytes::len),
            Form::Stream(_) => 0,
        }
    }

    /// Counts its bytes as buffered until the last of them is written.
    pub(super) fn hold(&mut self, held: Held) {
        if let Form::Whole(Some(bytes)) = &mut self.0 {
            *bytes = counted(std::mem::take(bytes), held);
        }
    }
}

/// The same bytes, counted as buffered until they are dropped.
fn counted(bytes: Bytes, held: Held) -> Bytes {
    struct Counted {
        bytes: Bytes,
        _held: Held,
    }

    impl AsRef<[u8]> for Counted {
        fn as_ref(&self) -> &[u8] {
            &self.bytes
        }
    }

    Bytes::from_owner(Counted { bytes, _held: held })
}

impl From<&'static str> for Body {
    fn from(text: &'static str) -> Self {
        Self(Form::Whole((!text.is_empty()).then(|| Bytes::from_static(text.as_bytes()))))
    }
}

impl From<Bytes> for Body {
    fn from(bytes: Bytes) -> Self {
        Self(Form::Whole((!bytes.is_empty()).then_some(bytes)))
    }
}

impl From<String> for Body {
    fn from(mut text: String) -> Self {
        // The buffered bytes are its length.
        if text.len() > SMALL {
            text.shrink_to_fit();
        }
        Self(Form::Whole((!text.is_empty()).then(|| text.into())))
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut self.0 {
            Form::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Form::Stream(body) => Pin::new(body).poll_frame(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Form::Whole(bytes) => bytes.is_none(),
            Form::Stream(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Form::Whole(bytes) => {
                SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
            }
            Form::Stream(body) => body.size_hint(),
        }
    }
}

/// Why a request has no body.
pub(super) enum Unread {
    TooLarge,
    Broken,
    /// Too many bytes are buffered already.
    NoRoom,
}

/// Size limits: of one body, and of all bodies together.
pub(super) struct Room<'m> {
    pub most: usize,
    pub most_of_all: usize,
    pub metrics: &'m Metrics,
}

/// The bytes of a body, without a copy if they arrive in one piece.
pub(super) async fn whole(
    body: impl http_body::Body<Data = Bytes>,
    room: Room<'_>,
) -> Result<Bytes, Unread> {
    let mut body = pin!(body);
    let (mut first, mut all) = (Bytes::new(), Vec::new());
    let mut held: Option<Held> = None;
    // Polling a completed body would wait for the connection.
    while !body.is_end_stream()
        && let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await
    {
        // Trailers are ignored.
        let Ok(data) = frame.map_err(|_| Unread::Broken)?.into_data() else { continue };
        let before = first.len().max(all.len());
        if data.len() > room.most - before {
            return Err(Unread::TooLarge);
        }
        if before + data.len() > SMALL {
            let grown = match &mut held {
                Some(held) => held.grow(data.len()),
                None => {
                    let new = room.metrics.hold(room.most_of_all);
                    held.insert(new).grow(before + data.len())
                }
            };
            if !grown {
                return Err(Unread::NoRoom);
            }
        }
        if first.is_empty() {
            first = data;
            continue;
        }
        if all.is_empty() {
            all.extend_from_slice(&first);
        }
        all.extend_from_slice(&data);
    }
    let bytes = if all.is_empty() { first } else { all.into() };
    Ok(match held {
        Some(held) => counted(bytes, held),
        None => bytes,
    })
}
