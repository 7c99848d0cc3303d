//! The backend: handles each of the sixteen requests.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::{Value, json};
use widgetcast::{Budgeted, Workers};
use widgetcast_agent::Tool;

use crate::backend::{Backend, ChatResponse};
use crate::error::RequestError;
use crate::limits::{AttachmentLimits, MAX_JUDGED, MAX_SEARCH};
use crate::protocol::item::AttachmentKind;
use crate::protocol::request::{
    CreateAttachment, CustomAction, Feedback, ListItems, ListThreads, Transcribe, UpdateThread,
};
use crate::protocol::{Attachment, ItemKind, Order, Page, Request, Thread, UploadDescriptor};
use crate::responder::Responder;
use crate::running::Running;
use crate::store::{OwnedAttachment, PageRequest, RetentionLimits, Storage};
use crate::turn::{Sink, User};
use crate::{id, stream};

/// The default page size.
const DEFAULT_PAGE: usize = 20;
/// The maximum page size. The component requests 9999.
const MAX_PAGE: i64 = 10_000;
/// Maximum characters of a title.
const MAX_TITLE: usize = 200;
/// Maximum threads that a search returns.
const MAX_FOUND: usize = 50;
/// The header with the token that authorizes an upload.
pub(crate) const UPLOAD_TOKEN: &str = "x-upload-token";

/// A ChatKit backend. Cheap to clone.
#[derive(Clone)]
pub struct ChatKit(Arc<Backend>);

impl ChatKit {
    /// Creates a backend with this storage for threads, and this responder for replies.
    pub fn new(storage: Arc<dyn Storage>, responder: impl Responder) -> Self {
        Self(Arc::new(Backend {
            storage,
            responder: Arc::new(responder),
            workers: Arc::default(),
            limits: AttachmentLimits::default(),
            keep: RetentionLimits::default(),
            running: Running::default(),
            searching: Running::default(),
            swept: Arc::default(),
        }))
    }

    /// Sets the limits of attachments.
    #[must_use]
    pub fn attachments(mut self, limits: AttachmentLimits) -> Self {
        Arc::make_mut(&mut self.0).limits = limits;
        self
    }

    /// Uses the workers of the app that it is mounted on.
    pub(crate) fn on(mut self, workers: Arc<Workers>) -> Self {
        Arc::make_mut(&mut self.0).workers = workers;
        self
    }

    /// Rejects files that could not be sent back.
    pub(crate) fn files_of_at_most(mut self, bytes: usize) -> Self {
        let limits = &mut Arc::make_mut(&mut self.0).limits;
        limits.max_bytes = limits.max_bytes.min(bytes);
        self
    }

    /// Sets the retention limits of unauthenticated users.
    #[must_use]
    pub fn retention(mut self, limits: RetentionLimits) -> Self {
        Arc::make_mut(&mut self.0).keep = limits;
        self
    }

    /// The limits of attachments.
    pub(crate) fn limits(&self) -> &AttachmentLimits {
        &self.0.limits
    }

    /// The storage.
    pub fn storage(&self) -> &dyn Storage {
        &*self.0.storage
    }

    /// Handles a request of a user. `at` is the public URL of the endpoint, such as
    /// `https://example.com/chatkit`. Call it in a Tokio runtime: streams run in their own tasks.
    pub async fn process(
        &self,
        user: &User,
        request: Request,
        at: &str,
    ) -> Result<ChatResponse, RequestError> {
        let inner = &self.0;
        inner.sweep();
        let answer = match request {
            Request::CreateThread(params) => {
                return stream::create_thread(inner, user, params).await;
            }
            Request::AddUserMessage(params) => {
                return stream::add_message(inner, user, params).await;
            }
            Request::AddClientToolOutput(params) => {
                return stream::add_tool_output(inner, user, params).await;
            }
            Request::AddStructuredInput(params) => {
                return stream::add_input(inner, user, params).await;
            }
            Request::RetryAfterItem(params) => return stream::retry(inner, user, params).await,
            Request::CustomAction(params) => return stream::act(inner, user, params).await,
            Request::SyncCustomAction(params) => inner.act_sync(user, params).await?,
            Request::GetThread(of) => inner.get_thread(user, &of.thread_id).await?,
            Request::ListThreads(params) => inner.list_threads(user, params).await?,
            Request::ListItems(params) => inner.list_items(user, params).await?,
            Request::Feedback(params) => inner.feedback(user, &params).await?,
            Request::CreateAttachment(params) => inner.attach(user, params, at).await?,
            Request::DeleteAttachment(params) => {
                let deleted = inner.storage.delete_attachment(&user.owner, &params.attachment_id);
                deleted.await.map_err(RequestError::of(&params.attachment_id))?;
                nothing()
            }
            Request::UpdateThread(params) => inner.update_thread(user, params).await?,
            Request::DeleteThread(of) => {
                let deleted = inner.storage.delete_thread(&user.owner, &of.thread_id);
                deleted.await.map_err(RequestError::of(&of.thread_id))?;
                nothing()
            }
            Request::Transcribe(params) => inner.transcribe(user, &params).await?,
        };
        Ok(ChatResponse::Json(answer))
    }

    /// The user's threads that contain a text, for the search of the chat page.
    pub(crate) async fn search(&self, user: &User, text: &str) -> Result<String, RequestError> {
        let found = match text.trim() {
            "" => Vec::new(),
            text if text.chars().count() > MAX_SEARCH => {
                return Err(RequestError::Invalid(format!(
                    "a search must be at most {MAX_SEARCH} characters long"
                )));
            }
            text => {
                let place = self.0.place(user);
                let who = if place.is_empty() { user.owner.key() } else { &place };
                // One search per user at a time: while the user types, earlier ones are obsolete.
                let run = self.0.searching.begin_alone(who);
                tokio::select! {
                    found = self.0.storage.search(&user.owner, text, MAX_FOUND, &self.0.workers) => {
                        found.map_err(RequestError::of("thread"))?
                    }
                    () = run.stopped() => {
                        return Err(RequestError::Unavailable("superseded by another search".into()));
                    }
                }
            }
        };
        let entry = |found: crate::store::SearchHit| {
            let mut entry = json!(Thread::shown(&found.thread, Page::default()));
            entry["snippet"] = found.snippet.into();
            entry
        };
        Ok(json!({ "data": found.into_iter().map(entry).collect::<Vec<Value>>() }).to_string())
    }

    /// The matching commands with which a user can start a message.
    pub(crate) async fn commands(&self, user: &User, typed: &str) -> Result<String, RequestError> {
        let typed = typed.trim().trim_start_matches('/').to_lowercase();
        let all = self.0.responder.commands(user).await?;
        let bytes = all.len() * Tool::BYTES;
        let write = move |budgeted| matching(all, &typed, budgeted);
        let listed = self.0.workers.finish(bytes, write).await;
        listed.ok_or_else(|| RequestError::Unavailable("the commands cannot be listed".into()))
    }
}

/// The entries whose name or title contains a text.
fn matching(mut all: Vec<Value>, typed: &str, _: Budgeted) -> String {
    let has = |entry: &Value, member: &str| {
        entry[member].as_str().is_some_and(|text| text.to_lowercase().contains(typed))
    };
    all.retain(|entry| has(entry, "name") || has(entry, "title"));
    // Those with a matching prefix come first.
    all.sort_by_cached_key(|entry| {
        !entry["name"].as_str().is_some_and(|name| name.to_lowercase().starts_with(typed))
    });
    json!({ "data": all }).to_string()
}

impl std::fmt::Debug for ChatKit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChatKit").field("limits", &self.0.limits).finish_non_exhaustive()
    }
}

fn nothing() -> String {
    "{}".to_owned()
}

fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| nothing())
}

fn page_of(after: Option<String>, limit: Option<i64>, order: Order) -> PageRequest {
    let limit = match limit.unwrap_or_default() {
        0 => DEFAULT_PAGE,
        limit => usize::try_from(limit.clamp(1, MAX_PAGE)).unwrap_or(DEFAULT_PAGE),
    };
    PageRequest { after: after.filter(|id| !id.is_empty()), limit, order }
}

impl Backend {
    async fn get_thread(&self, user: &User, id: &str) -> Result<String, RequestError> {
        let thread = self.thread(user, id).await?;
        let page = page_of(None, None, Order::Asc);
        let items = self.storage.items(&user.owner, id, page, false).await;
        let items = items.map_err(RequestError::of(id))?;
        items.json_in(thread, &self.workers).await.map_err(RequestError::of(id))
    }

    async fn list_threads(&self, user: &User, params: ListThreads) -> Result<String, RequestError> {
        let of = page_of(params.after, params.limit, params.order);
        let Page { data, has_more, after } =
            self.storage.threads(&user.owner, of).await.map_err(RequestError::of("thread"))?;
        let data: Vec<Thread> =
            data.iter().map(|thread| Thread::shown(thread, Page::default())).collect();
        Ok(text(&Page { data, has_more, after }))
    }

    async fn list_items(&self, user: &User, params: ListItems) -> Result<String, RequestError> {
        let id = &params.thread_id;
        self.thread(user, id).await?;
        let of = page_of(params.after, params.limit, params.order);
        let items = self.storage.items(&user.owner, id, of, false).await;
        items.map_err(RequestError::of(id))?.json(&self.workers).await.map_err(RequestError::of(id))
    }

    async fn feedback(&self, user: &User, params: &Feedback) -> Result<String, RequestError> {
        let Feedback { thread_id, item_ids, kind } = params;
        if item_ids.len() > MAX_JUDGED {
            return Err(RequestError::Invalid(format!(
                "feedback is limited to {MAX_JUDGED} items per request"
            )));
        }
        let kept = self.storage.save_feedback(&user.owner, thread_id, item_ids, *kind).await;
        kept.map_err(RequestError::of(thread_id))?;
        Ok(nothing())
    }

    async fn update_thread(
        &self,
        user: &User,
        params: UpdateThread,
    ) -> Result<String, RequestError> {
        let mut thread = self.thread(user, &params.thread_id).await?;
        thread.title = Some(params.title.chars().take(MAX_TITLE).collect());
        let kept = self.storage.save_thread(&user.owner, &thread).await;
        kept.map_err(RequestError::of(&thread.id))?;
        Ok(text(&Thread::shown(&thread, Page::default())))
    }

    async fn attach(
        &self,
        user: &User,
        params: CreateAttachment,
        at: &str,
    ) -> Result<String, RequestError> {
        let size = self.limits.admit(&params)?;
        let (id, token) = (id::new("atc_"), id::secret());
        let url = format!("{at}/attachments/{id}");
        let kind = match params.mime_type.starts_with("image/") {
            true => AttachmentKind::Image { preview_url: url.clone() },
            false => AttachmentKind::File,
        };
        let headers = [
            (UPLOAD_TOKEN.to_owned(), token.clone()),
            ("content-type".to_owned(), params.mime_type.clone()),
        ];
        let upload = UploadDescriptor { url, method: "PUT".into(), headers: headers.into() };
        let mut attachment = Attachment {
            id,
            name: params.name,
            mime_type: params.mime_type,
            upload_descriptor: None,
            thread_id: None,
            kind,
        };
        let kept = OwnedAttachment { attachment: attachment.clone(), size, token };
        let (most, of_all) = (self.limits.max_bytes_per_user, self.keep.all_attached);
        let kept = self.storage.create_attachment(&user.owner, &kept, most, of_all).await;
        if !kept.map_err(RequestError::of("attachment"))? {
            let words = "file quota exceeded; delete threads or attachments";
            return Err(RequestError::TooLarge(words.into()));
        }
        attachment.upload_descriptor = Some(upload);
        Ok(text(&attachment))
    }

    async fn transcribe(&self, user: &User, params: &Transcribe) -> Result<String, RequestError> {
        let audio = STANDARD.decode(&params.audio_base64);
        let audio =
            audio.map_err(|_| RequestError::Invalid("audio_base64 is not base64".into()))?;
        let words = self.responder.transcribe(user, audio, &params.mime_type).await?;
        Ok(json!({ "text": words }).to_string())
    }

    /// Runs an action to its end, and returns the new state of its widget.
    async fn act_sync(&self, user: &User, params: CustomAction) -> Result<String, RequestError> {
        let thread = stream::thread_with_room(self, user, &params.thread_id).await?;
        let (sender, action, is_drawn) = stream::sender(self, user, &thread.id, params).await?;
        if sender.as_ref().is_some_and(|item| !matches!(item.kind, ItemKind::Widget { .. })) {
            return Err(RequestError::Invalid("only widgets have actions".into()));
        }
        let turn = self.turn(user, thread, Sink::Kept(Vec::new().into())).with_drawn(is_drawn);
        let updated = self.responder.act_sync(&turn, &action, sender.as_ref()).await;
        let updated = updated.map_err(|error| RequestError::Unavailable(error.to_string()))?;
        let Some(item) = updated else { return Ok(nothing()) };
        let bytes = Workers::size_of(&item);
        let write = move |_: Budgeted| text(&json!({ "updated_item": item }));
        let written = self.workers.finish(bytes, write).await;
        written.ok_or_else(|| RequestError::Unavailable("the item cannot be written".into()))
    }
}
