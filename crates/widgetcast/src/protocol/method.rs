//! The table of all supported methods.

/// A method that clients may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    ToolsCall,
    ToolsList,
    ResourcesRead,
    ResourcesList,
    ResourceTemplatesList,
    ResourcesSubscribe,
    ResourcesUnsubscribe,
    PromptsList,
    PromptsGet,
    Complete,
    Initialize,
    Ping,
    SetLogLevel,
    Discover,
    Listen,
    TasksGet,
    TasksUpdate,
    TasksCancel,
    /// A custom method.
    Own,
}

/// The revisions that have a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum In {
    Every,
    /// Those with a handshake.
    Legacy,
    /// 2026-07-28.
    Modern,
}

/// The most frequent first, because names are compared in this order.
const METHODS: [(&str, Method, In); 18] = [
    ("tools/call", Method::ToolsCall, In::Every),
    ("tools/list", Method::ToolsList, In::Every),
    ("resources/read", Method::ResourcesRead, In::Every),
    ("resources/list", Method::ResourcesList, In::Every),
    ("resources/templates/list", Method::ResourceTemplatesList, In::Every),
    ("resources/subscribe", Method::ResourcesSubscribe, In::Legacy),
    ("resources/unsubscribe", Method::ResourcesUnsubscribe, In::Legacy),
    ("prompts/list", Method::PromptsList, In::Every),
    ("prompts/get", Method::PromptsGet, In::Every),
    ("completion/complete", Method::Complete, In::Every),
    ("initialize", Method::Initialize, In::Legacy),
    ("ping", Method::Ping, In::Legacy),
    ("logging/setLevel", Method::SetLogLevel, In::Legacy),
    ("server/discover", Method::Discover, In::Modern),
    ("subscriptions/listen", Method::Listen, In::Modern),
    ("tasks/get", Method::TasksGet, In::Modern),
    ("tasks/update", Method::TasksUpdate, In::Modern),
    ("tasks/cancel", Method::TasksCancel, In::Modern),
];

impl Method {
    /// The name in a message.
    #[cfg(test)]
    pub(crate) fn name(self) -> &'static str {
        METHODS.iter().find(|(_, method, _)| *method == self).map_or("", |(name, ..)| name)
    }

    /// The method of this name, if the revision has it.
    pub(crate) fn find(name: &str, modern: bool) -> Option<Self> {
        let (_, method, revisions) = METHODS.iter().find(|(known, ..)| *known == name)?;
        let is_there = match revisions {
            In::Every => true,
            In::Legacy => !modern,
            In::Modern => modern,
        };
        is_there.then_some(*method)
    }
}

/// Whether any revision has a method of this name.
pub(crate) fn is_known(name: &str) -> bool {
    METHODS.iter().any(|(known, ..)| *known == name)
}
