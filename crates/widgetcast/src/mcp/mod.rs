//! rmcp, for everything that is not a plain question: handshakes, header rules, streams of events,
//! progress. It answers from the same [`dispatch`] as the hot lane. Its types do not leave this
//! folder.

use std::sync::Arc;

use http::request::Parts;
use rmcp::model::*;
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, ServerHandler};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;
use widgetcast_core::Given;

use crate::app::Inner;
use crate::context::{ClientInfo, Report};
use crate::dispatch::{self, Fault, MODERN, Params, Peer, Request, dispatch};
use crate::live::Change;

/// The HTTP endpoint as rmcp serves it.
pub(crate) type Endpoint = StreamableHttpService<Handler, NeverSessionManager>;

/// The endpoint; hosts, origins and sizes are checked before it is asked.
pub(crate) fn endpoint(app: &Arc<Inner>, stop: CancellationToken) -> Endpoint {
    let handler = Handler(Arc::clone(app));
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_max_request_body_bytes(app.settings.max_request_bytes)
        .with_cancellation_token(stop);
    StreamableHttpService::new(
        move || Ok(handler.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    )
}

/// Serves the messages of one pipe until it ends.
pub(crate) async fn serve_pipe(
    app: &Arc<Inner>,
    read: impl AsyncRead + Send + Unpin + 'static,
    write: impl AsyncWrite + Send + Unpin + 'static,
    stop: CancellationToken,
) {
    let handler = Handler(Arc::clone(app));
    // A client that leaves before its first request is no fault.
    if let Ok(running) = rmcp::service::serve_server_with_ct(handler, (read, write), stop).await {
        _ = running.waiting().await;
    }
}

/// Standard output; without a thread for each write where it is a pipe.
pub(crate) fn stdout() -> impl AsyncWrite + Send + Unpin + 'static {
    rmcp::transport::stdio_pipes().1
}

/// The app, as rmcp asks it.
#[derive(Clone)]
pub(crate) struct Handler(Arc<Inner>);

type Context = RequestContext<RoleServer>;
type Answered<R> = Result<R, ErrorData>;

impl Handler {
    /// Asks our own dispatch, and reads what it says into rmcp's types.
    async fn ask<R: DeserializeOwned>(
        &self,
        method: &str,
        params: impl Serialize,
        context: Context,
    ) -> Answered<R> {
        let mut params = serde_json::to_value(params).map_err(internal)?;
        if !params.is_object() {
            params = Value::Object(serde_json::Map::new());
        }
        // rmcp takes `_meta` out of the parameters and keeps it in the context.
        params["_meta"] = serde_json::to_value(&context.meta).map_err(internal)?;
        let text = params.to_string();
        let mut params = Params::read(&text).map_err(internal)?;
        let given = params.meta.take();
        let modern = context.protocol_version().is_some_and(|version| version.as_str() >= MODERN);
        let client = context
            .client_info()
            .map(|client| ClientInfo { name: client.name, version: client.version });
        let capabilities = context
            .client_capabilities()
            .and_then(|capabilities| serde_json::to_value(&capabilities).ok());
        let capabilities = capabilities.as_ref().map(Given::from);
        let parts = context.extensions.get::<Parts>();
        let asked = parts.and_then(|parts| parts.extensions.get::<crate::http::Asked>());
        let request = Request {
            method,
            params,
            peer: Peer {
                modern,
                client: client.as_ref().map(Into::into),
                capabilities: capabilities.as_ref(),
                meta: given.as_ref(),
                headers: parts.map(|parts| &parts.headers),
                compared: true,
                surfaces: asked.map(|asked| asked.0.as_slice()),
                cancel: Some(context.ct.child_token()),
                report: report(&context),
            },
        };
        let answer = dispatch(&self.0, request);
        let body = tokio::select! {
            body = answer.wait() => body,
            () = context.ct.cancelled() => Err(Fault::new(Fault::INTERNAL, "cancelled")),
        };
        let text =
            body.map_err(|fault| ErrorData::new(ErrorCode(fault.code), fault.message, fault.data))?;
        serde_json::from_str(&text).map_err(internal)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in map_err")]
fn internal(error: serde_json::Error) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

/// How to tell this caller about progress, if it gave a token.
fn report(context: &Context) -> Option<Report> {
    let token = context.meta.get_progress_token()?;
    let peer = context.peer.clone();
    Some(Arc::new(move |done, total, message| {
        let mut params = ProgressNotificationParam::new(token.clone(), done);
        params.total = total;
        params.message = message;
        let peer = peer.clone();
        // A caller that is gone needs no progress.
        Box::pin(async move { _ = peer.notify_progress(params).await })
    }))
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let app = &self.0;
        let mut config = ServerConfig::new(
            serde_json::from_value(dispatch::capabilities(app)).unwrap_or_default(),
        );
        let mut info = Implementation::new(app.name.clone(), app.version.clone());
        info.title = app.title.clone();
        config = config.with_server_info(info);
        match &app.instructions {
            Some(text) => config.with_instructions(text.clone()),
            None => config,
        }
    }

    async fn discover(&self, context: Context) -> Answered<DiscoverResult> {
        self.ask("server/discover", (), context).await
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        // Only for comparing headers with arguments.
        if !dispatch::has_header_params(&self.0, name) {
            return None;
        }
        serde_json::from_value(dispatch::described(&self.0, name)?).ok()
    }

    async fn list_tools(
        &self,
        params: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Answered<ListToolsResult> {
        self.ask("tools/list", params, context).await
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: Context,
    ) -> Answered<CallToolResponse> {
        let result: CallToolResult = self.ask("tools/call", params, context).await?;
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        params: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Answered<ListResourcesResult> {
        self.ask("resources/list", params, context).await
    }

    async fn list_resource_templates(
        &self,
        params: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Answered<ListResourceTemplatesResult> {
        self.ask("resources/templates/list", params, context).await
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        context: Context,
    ) -> Answered<ReadResourceResponse> {
        let result: ReadResourceResult = self.ask("resources/read", params, context).await?;
        Ok(result.into())
    }

    async fn list_prompts(
        &self,
        params: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Answered<ListPromptsResult> {
        self.ask("prompts/list", params, context).await
    }

    async fn get_prompt(
        &self,
        params: GetPromptRequestParams,
        context: Context,
    ) -> Answered<GetPromptResponse> {
        let result: GetPromptResult = self.ask("prompts/get", params, context).await?;
        Ok(result.into())
    }

    async fn complete(
        &self,
        params: CompleteRequestParams,
        context: Context,
    ) -> Answered<CompleteResult> {
        self.ask("completion/complete", params, context).await
    }

    async fn subscribe(&self, params: SubscribeRequestParams, context: Context) -> Answered<()> {
        let _: Value = self.ask("resources/subscribe", params, context).await?;
        Ok(())
    }

    async fn unsubscribe(
        &self,
        params: UnsubscribeRequestParams,
        context: Context,
    ) -> Answered<()> {
        let _: Value = self.ask("resources/unsubscribe", params, context).await?;
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        // Kept for as long as the stream is open, so it is bounded.
        let mut accepted = requested.clone();
        if let Some(uris) = &mut accepted.resource_subscriptions {
            uris.retain(|uri| uri.len() <= 2048);
            uris.truncate(1000);
        }
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Answered<()> {
        let mut changes = self.0.live.subscribe();
        loop {
            let change = tokio::select! {
                () = context.cancelled() => return Ok(()),
                change = changes.recv() => change,
            };
            let sink = context.sink();
            // What was not asked for is left out by the sink; one that is gone ends the loop above.
            match change {
                Ok(Change::Tools) => _ = sink.notify_tool_list_changed().await,
                Ok(Change::Prompts) => _ = sink.notify_prompt_list_changed().await,
                Ok(Change::Resources) => _ = sink.notify_resource_list_changed().await,
                Ok(Change::Resource(uri)) => {
                    _ = sink.notify_resource_updated(uri).await;
                }
                Err(RecvError::Lagged(_)) => {
                    _ = sink.notify_tool_list_changed().await;
                    _ = sink.notify_resource_list_changed().await;
                }
                Err(RecvError::Closed) => return Ok(()),
            }
        }
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: Context,
    ) -> Answered<CustomResult> {
        // A request of ours lands here when its parameters do not fit.
        let modern = context.protocol_version().is_some_and(|version| version.as_str() >= MODERN);
        let gone = modern
            && matches!(
                request.method.as_str(),
                "initialize" | "ping" | "resources/subscribe" | "resources/unsubscribe"
            );
        let (code, words) = match dispatch::is_known(&request.method) && !gone {
            true => (Fault::PARAMS, format!("Invalid params of {}", request.method)),
            false => (Fault::METHOD, format!("Method not found: {}", request.method)),
        };
        Err(ErrorData::new(ErrorCode(code), words, None))
    }

    async fn on_initialized(&self, _: NotificationContext<RoleServer>) {}
}
