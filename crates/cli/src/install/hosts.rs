//! Hosts without a settings file: what a user does there instead.
//!
//! Taken from the hosts' own documentation in November 2026. `DIR` stands for the directory of widgets.

/// A host that users set up themselves.
pub(crate) struct Host {
    /// Its name on the command line.
    pub id: &'static str,
    /// Its name in messages.
    pub name: &'static str,
    pub steps: &'static str,
}

impl Host {
    pub(crate) fn find(id: &str) -> Option<&'static Host> {
        HOSTS.iter().find(|host| host.id == id)
    }
}

pub(crate) const HOSTS: &[Host] = &[
    Host {
        id: "chatgpt",
        name: "ChatGPT",
        steps: "\
ChatGPT calls servers over the internet, so there is no config file to write on this machine.

1. Expose port 8000 at a public https URL, for example with a tunnel
   (`cloudflared tunnel --url http://127.0.0.1:8000`, or `ngrok http 8000`). It prints a HOST.
2. Allow that host:  widgetcast serve DIR --watch --allow-host HOST
3. In ChatGPT on the web, under Settings, Apps & Connectors, Advanced settings, turn on developer
   mode. In a workspace, an admin must allow it first.
4. Under Settings, Apps & Connectors, choose Create and enter a name, a description, the URL
   https://HOST/mcp, and no authentication.
5. In a new chat, select the connector with + and ask for something that a widget shows. After you
   add or rename widgets, refresh the connector in its settings.
",
    },
    Host {
        id: "slack",
        name: "Slack",
        steps: "\
Slackbot calls servers over the internet, through an app in your workspace.

1. Expose port 8000 at a public https URL, for example with a tunnel. It prints a HOST.
2. Allow that host:  widgetcast serve DIR --watch --allow-host HOST
3. At https://api.slack.com/apps, create an app or choose one. Under Features, MCP Servers, add
   https://HOST/mcp with no authentication.
4. Install the app to the workspace, and ask Slackbot for something that a widget shows.

To preview what Slack shows and what is lost:  widgetcast render FILE --surface slack-blocks
",
    },
    Host {
        id: "teams",
        name: "Microsoft Teams",
        steps: "\
Teams renders Adaptive Cards that your bot posts. The bot gets each card by calling a tool.

1. Serve the widgets:  widgetcast serve DIR
2. Have the bot call the tool at http://127.0.0.1:8000/mcp?surface=adaptive-card. The card is the
   embedded resource of type application/vnd.microsoft.card.adaptive in the result.
3. Have it post an activity with one attachment: that type as `contentType`, the card as `content`.
   What users enter arrives in the `value` of the activity that Teams sends to the bot.

To preview the card and what is lost:  widgetcast render FILE --surface adaptive-card
",
    },
];
