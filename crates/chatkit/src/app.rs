//! Adds a chat to an app in one call.

use std::sync::Arc;

use widgetcast::App;
use widgetcast_agent::Toolbox;

use crate::chatkit::ChatKit;
use crate::commands::Commands;
use crate::store::Storage;

/// Adds a chat to an app.
pub trait AppChatKit {
    /// Mounts `/chatkit` and `/chat`, where messages call the app's tools by name. For other responders, see
    /// [`ChatKit::new`].
    fn chatkit(self, storage: Arc<dyn Storage>) -> App;
}

impl AppChatKit for App {
    fn chatkit(self, storage: Arc<dyn Storage>) -> App {
        let toolbox = Toolbox::new().app(self.clone());
        ChatKit::new(storage, Commands::new(toolbox)).mount(self)
    }
}
