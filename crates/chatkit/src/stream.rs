//! Requests with a streamed response. Errors that can be detected early are returned before the stream
//! starts; then a task produces the reply, and stores partial output if the client disconnects.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use tokio::sync::mpsc;
use widgetcast::Workers;

use crate::backend::{Backend, ChatResponse};
use crate::error::{RequestError, TurnError};
use crate::limits::{MAX_FILES, admit_payload};
use crate::protocol::item::{InputAnswer, InputKind};
use crate::protocol::request::{
    AddClientToolOutput, AddStructuredInput, AddUserMessage, CreateThread, CustomAction,
    ItemOfThread, Submission, SubmissionStatus,
};
use crate::protocol::{
    Action, Attachment, CallStatus, Event, InputStatus, Item, ItemKind, Order, Page, StreamOptions,
    Thread, ThreadMetadata, UserMessageInput,
};
use crate::responder::Responder;
use crate::running::Run;
use crate::store::PageRequest;
use crate::turn::{Sink, Turn, User};
use crate::{clock, drawn, id};

/// Capacity of the event queue for a slow client.
const WAITING: usize = 16;
/// Maximum items that are searched for pending client calls.
const RECENT: usize = 20;

/// The work of a task for a turn.
type Work =
    Box<dyn FnOnce(Arc<dyn Responder>, Turn) -> BoxFuture<'static, Result<(), TurnError>> + Send>;

fn work<F, R>(run: F) -> Work
where
    F: FnOnce(Arc<dyn Responder>, Turn) -> R + Send + 'static,
    R: Future<Output = Result<(), TurnError>> + Send + 'static,
{
    Box::new(move |responder, turn| Box::pin(run(responder, turn)))
}

/// Starts a stream: first events that are already stored, then those of the responder.
fn begin(
    backend: &Backend,
    user: &User,
    thread: ThreadMetadata,
    first: Vec<Event>,
    work: Work,
) -> ChatResponse {
    let (frames, events) = mpsc::channel(WAITING);
    let turn = backend.turn(user, thread, Sink::Frames(frames));
    begin_turn(backend, turn, events, first, work)
}

fn begin_turn(
    backend: &Backend,
    turn: Turn,
    events: mpsc::Receiver<Bytes>,
    first: Vec<Event>,
    work: Work,
) -> ChatResponse {
    let run = backend.running.begin(&turn.thread_id());
    let (caller, peer) = (turn.user().caller.clone(), turn.user().peer);
    let answer = answer(turn, run, first, Arc::clone(&backend.responder), work);
    tokio::spawn(Workers::on_behalf(caller, peer, answer));
    ChatResponse::Events(events)
}

async fn answer(
    turn: Turn,
    run: Run,
    first: Vec<Event>,
    responder: Arc<dyn Responder>,
    work: Work,
) {
    let options = Event::StreamOptions { stream_options: StreamOptions { allow_cancel: true } };
    let answer = async {
        for event in first.into_iter().chain([options]) {
            turn.send(event).await?;
        }
        work(responder, turn.clone()).await
    };
    let done = tokio::select! {
        biased;
        done = answer => done,
        () = turn.gone() => Err(TurnError::Gone),
        () = run.stopped() => Err(TurnError::Gone),
    };
    let Err(error) = done else { return };
    let told = match error.event() {
        None => turn.give_up().await,
        // A failed reply may also leave incomplete items.
        Some(event) => turn.keep_unfinished().await.and(turn.send(event).await),
    };
    if let Err(error) = told {
        tracing::debug!("cannot send the end of a response: {error}");
    }
}

/// The user's message, with its attachments.
async fn message(
    backend: &Backend,
    user: &User,
    thread: &str,
    input: UserMessageInput,
) -> Result<Item, RequestError> {
    if input.attachments.len() > MAX_FILES {
        return Err(RequestError::Invalid(format!("a message may have at most {MAX_FILES} files")));
    }
    let mut attachments: Vec<Attachment> = Vec::new();
    for id in &input.attachments {
        let found = backend.storage.attachment(&user.owner, id).await;
        let (mut found, _) = found.map_err(RequestError::of(id))?;
        found.attachment.thread_id = Some(thread.to_owned());
        let kept = backend.storage.send_attachment(&user.owner, &found.attachment).await;
        kept.map_err(RequestError::of(id))?;
        attachments.push(found.attachment);
    }
    let kind = ItemKind::UserMessage {
        content: input.content,
        attachments,
        quoted_text: input.quoted_text,
        inference_options: input.inference_options,
    };
    let (id, created_at) = (id::new("msg_"), clock::now());
    Ok(Item { id, thread_id: thread.to_owned(), created_at, kind })
}

fn full() -> RequestError {
    RequestError::TooLarge("this conversation is full; start another".into())
}

/// A thread to be written to; for an anonymous user, within the limits.
pub(crate) async fn thread_with_room(
    backend: &Backend,
    user: &User,
    id: &str,
) -> Result<ThreadMetadata, RequestError> {
    if !user.owner.is_anonymous() {
        return backend.thread(user, id).await;
    }
    let found = backend.storage.thread_with_room(&user.owner, id, &backend.keep).await;
    match found.map_err(RequestError::of(id))? {
        (thread, true) => Ok(thread),
        (_, false) => Err(full()),
    }
}

/// Makes room for another thread of an anonymous user.
async fn make_room(backend: &Backend, user: &User) -> Result<(), RequestError> {
    if !user.owner.is_anonymous() {
        return Ok(());
    }
    let place = backend.place(user);
    let room = backend.storage.make_room(&user.owner, &place, &backend.keep).await;
    if room.map_err(RequestError::of("thread"))? {
        return Ok(());
    }
    let words = "no capacity for more conversations of unauthenticated users";
    Err(RequestError::Unavailable(words.into()))
}

pub(crate) async fn create_thread(
    backend: &Backend,
    user: &User,
    params: CreateThread,
) -> Result<ChatResponse, RequestError> {
    let (id, created_at) = (id::new("thr_"), clock::now());
    let thread = ThreadMetadata { id, created_at, ..ThreadMetadata::default() };
    make_room(backend, user).await?;
    let item = message(backend, user, &thread.id, params.input).await?;
    let place = backend.place(user);
    let items = backend.stored(vec![item.clone()]).await.map_err(RequestError::of(&thread.id))?;
    let kept = backend.storage.create_thread(&user.owner, &place, &thread, items).await;
    kept.map_err(RequestError::of(&thread.id))?;
    let created = Event::ThreadCreated { thread: Thread::shown(&thread, Page::default()) };
    let first = vec![created, Event::ItemDone { item: item.clone() }];
    let respond = work(async move |responder, turn| responder.respond(&turn, Some(&item)).await);
    Ok(begin(backend, user, thread, first, respond))
}

pub(crate) async fn add_message(
    backend: &Backend,
    user: &User,
    params: AddUserMessage,
) -> Result<ChatResponse, RequestError> {
    let thread = thread_with_room(backend, user, &params.thread_id).await?;
    let item = message(backend, user, &thread.id, params.input).await?;
    let most = if user.owner.is_anonymous() { backend.keep.items } else { usize::MAX };
    let stored = backend.stored(vec![item.clone()]).await.map_err(RequestError::of(&thread.id))?;
    let kept = match stored.into_iter().next() {
        Some(stored) => backend.storage.add_item(&user.owner, stored, most).await,
        None => Ok(true),
    };
    if !kept.map_err(RequestError::of(&thread.id))? {
        return Err(full());
    }
    let first = vec![Event::ItemDone { item: item.clone() }];
    let respond = work(async move |responder, turn| responder.respond(&turn, Some(&item)).await);
    Ok(begin(backend, user, thread, first, respond))
}

pub(crate) async fn add_tool_output(
    backend: &Backend,
    user: &User,
    params: AddClientToolOutput,
) -> Result<ChatResponse, RequestError> {
    let thread = thread_with_room(backend, user, &params.thread_id).await?;
    let page = PageRequest { after: None, limit: RECENT, order: Order::Desc };
    let items = backend.storage.items(&user.owner, &thread.id, page, true).await;
    let items = items.map_err(RequestError::of(&thread.id))?.read(&backend.workers).await;
    let mut items = items.map_err(RequestError::of(&thread.id))?.data.into_iter();
    let is_pending = |item: &Item| {
        matches!(item.kind, ItemKind::ClientToolCall { status: CallStatus::Pending, .. })
    };
    let Some(mut call) = items.next().filter(is_pending) else {
        let words = format!("the last item of {} is not a pending call", thread.id);
        return Err(RequestError::Invalid(words));
    };
    if let ItemKind::ClientToolCall { status, output, .. } = &mut call.kind {
        (*status, *output) = (CallStatus::Completed, Some(params.result));
    }
    let id = call.id.clone();
    let call = backend.stored(vec![call]).await.map_err(RequestError::of(&id))?;
    let kept = backend.storage.save_items(&user.owner, call).await;
    kept.map_err(RequestError::of(&id))?;
    // These will not be completed any more.
    for lost in items.filter(is_pending) {
        let deleted = backend.storage.delete_item(&user.owner, &thread.id, &lost.id).await;
        deleted.map_err(RequestError::of(&lost.id))?;
    }
    let respond = work(async move |responder, turn| responder.respond(&turn, None).await);
    Ok(begin(backend, user, thread, Vec::new(), respond))
}

/// The questions with their answers.
fn answered(item: Item, submission: &Submission) -> Result<Item, RequestError> {
    let Item { id, kind, .. } = &item;
    let ItemKind::StructuredInput { status, inputs } = kind else {
        return Err(RequestError::Invalid(format!("{id} has no questions")));
    };
    if *status != InputStatus::Pending {
        return Err(RequestError::Invalid(format!("{id} is already answered")));
    }
    let is_skipped = submission.status == SubmissionStatus::Skipped;
    let mut inputs = inputs.clone();
    for input in &mut inputs {
        let given = submission.answers.get(&input.id);
        let given = given.filter(|answer| !is_skipped && !answer.skipped);
        let mut values = given.map(|answer| answer.values.clone()).unwrap_or_default();
        if matches!(input.kind, InputKind::MultipleChoice { multiple: false, .. }) {
            values.truncate(1);
        }
        input.answer = Some(InputAnswer { skipped: values.is_empty(), values });
    }
    let status = if is_skipped { InputStatus::Skipped } else { InputStatus::Answered };
    Ok(Item { kind: ItemKind::StructuredInput { status, inputs }, ..item })
}

pub(crate) async fn add_input(
    backend: &Backend,
    user: &User,
    params: AddStructuredInput,
) -> Result<ChatResponse, RequestError> {
    let thread = thread_with_room(backend, user, &params.thread_id).await?;
    let item = backend.item(user, &thread.id, &params.item_id).await?;
    let item = answered(item, &params.input)?;
    let respond = work(async move |responder, turn| {
        turn.emit(Event::ItemReplaced { item }).await?;
        responder.respond(&turn, None).await
    });
    Ok(begin(backend, user, thread, Vec::new(), respond))
}

pub(crate) async fn retry(
    backend: &Backend,
    user: &User,
    params: ItemOfThread,
) -> Result<ChatResponse, RequestError> {
    let thread = thread_with_room(backend, user, &params.thread_id).await?;
    let item = backend.item(user, &thread.id, &params.item_id).await?;
    if !matches!(item.kind, ItemKind::UserMessage { .. }) {
        return Err(RequestError::Invalid(format!("{} is not a user message", item.id)));
    }
    // The client may have disconnected silently.
    backend.running.stop(&thread.id).await;
    let deleted = backend.storage.delete_items_after(&user.owner, &thread.id, &item.id).await;
    deleted.map_err(RequestError::of(&item.id))?;
    let respond = work(async move |responder, turn| responder.respond(&turn, Some(&item)).await);
    Ok(begin(backend, user, thread, Vec::new(), respond))
}

/// The widget whose action is run, the action, and whether the widget contains it.
pub(crate) async fn sender(
    backend: &Backend,
    user: &User,
    thread: &str,
    params: CustomAction,
) -> Result<(Option<Item>, Action, bool), RequestError> {
    let CustomAction { item_id, action, .. } = params;
    let failed = || RequestError::Unavailable("the action cannot be read".into());
    let bytes = Workers::size_of(&action.payload);
    let admit = move |budgeted| (admit_payload(&action.payload, budgeted), action);
    let (admitted, action) = backend.workers.finish(bytes, admit).await.ok_or_else(failed)?;
    admitted?;
    let Some(id) = item_id else { return Ok((None, action, false)) };
    let text =
        backend.storage.item(&user.owner, thread, &id).await.map_err(RequestError::of(&id))?;
    let bytes = bytes.saturating_add(text.size());
    let find = move |budgeted| {
        let item = text.parse(budgeted)?;
        let is_drawn = match &item.kind {
            ItemKind::Widget { widget, .. } => drawn::is_drawn(widget, &action, budgeted),
            _ => false,
        };
        Ok((Some(item), action, is_drawn))
    };
    backend.workers.finish(bytes, find).await.ok_or_else(failed)?.map_err(RequestError::of(&id))
}

pub(crate) async fn act(
    backend: &Backend,
    user: &User,
    params: CustomAction,
) -> Result<ChatResponse, RequestError> {
    let thread = thread_with_room(backend, user, &params.thread_id).await?;
    let (sender, action, is_drawn) = sender(backend, user, &thread.id, params).await?;
    if sender.as_ref().is_some_and(|item| !matches!(item.kind, ItemKind::Widget { .. })) {
        let error = TurnError::Stream { allow_retry: false };
        let (frames, events) = mpsc::channel(1);
        let turn = backend.turn(user, thread, Sink::Frames(frames));
        if let Some(event) = error.event() {
            // The channel has a capacity of one.
            _ = turn.send(event).await;
        }
        return Ok(ChatResponse::Events(events));
    }
    let respond = work(async move |responder: Arc<dyn Responder>, turn| {
        responder.act(&turn, &action, sender.as_ref()).await
    });
    let (frames, events) = mpsc::channel(WAITING);
    let turn = backend.turn(user, thread, Sink::Frames(frames)).with_drawn(is_drawn);
    Ok(begin_turn(backend, turn, events, Vec::new(), respond))
}
