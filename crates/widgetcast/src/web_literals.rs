//! Literals that the server and the pages share. Each has its owner in Rust; the TypeScript side is
//! generated from here: `WIDGETCAST_BLESS=1 cargo test -p widgetcast web_literals` writes it.

use std::fmt::Write as _;

use widgetcast_core::extract;
use widgetcast_core::surface::icon;
use widgetcast_core::surface::{chatgpt, chatkit, mcp_apps, page, slack};

use crate::gallery;
use crate::protocol::meta;
use crate::protocol::method::Method;
use crate::protocol::revision::MODERN;
use crate::protocol::tools::state;
use crate::transport::http::headers;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/client/src/wire.ts");

#[test]
fn the_literals_of_the_pages_are_fresh() {
    let header_names = [headers::METHOD, headers::NAME, headers::VERSION];
    let [header_method, header_name, header_version] = &header_names;
    let mut literals = vec![
        ("APP_MIME", page::MIME),
        ("APP_PROFILE", page::PROFILE),
        ("CLOSE_WIDGET", chatgpt::CLOSE),
        ("GALLERY_DRAFT", gallery::DRAFT_PATH),
        ("GALLERY_DRAW", gallery::DRAW_PATH),
        ("GALLERY_EVENTS", gallery::EVENTS_PATH),
        ("GALLERY_INDEX", gallery::INDEX_PATH),
        ("GALLERY_MCP", gallery::MCP_PATH),
        ("GALLERY_TOOL", gallery::TOOL_PATH),
        ("HEADER_METHOD", header_method.as_str()),
        ("HEADER_NAME", header_name.as_str()),
        ("HEADER_PROTOCOL_VERSION", header_version.as_str()),
        ("ICON_PREFIX", icon::PREFIX),
        ("META_CLIENT_CAPABILITIES", meta::CAPABILITIES),
        ("META_CLIENT_INFO", meta::CLIENT),
        ("META_PROTOCOL_VERSION", meta::VERSION),
        ("META_TREE", mcp_apps::META_TREE),
        ("OUTPUT_TEMPLATE", chatgpt::OUTPUT_TEMPLATE),
        ("PROMPTS_LIST", Method::PromptsList.name()),
        ("PROTOCOL_VERSION", MODERN),
        ("REMOTE_DOM_MIME", extract::REMOTE_DOM_MIME),
        ("RESOURCES_LIST", Method::ResourcesList.name()),
        ("RESOURCES_READ", Method::ResourcesRead.name()),
        ("RESOURCES_TEMPLATES_LIST", Method::ResourceTemplatesList.name()),
        ("RESOURCE_URI", mcp_apps::FLAT_URI),
        ("SKYBRIDGE_MIME", chatgpt::SKYBRIDGE),
        ("SLACK_BLOCKS_MIME", slack::BLOCKS_MIME),
        ("SLACK_BLOCKS_URI", slack::BLOCKS_URI),
        ("SLACK_SCHEME", slack::SCHEME),
        ("SLACK_WORK_OBJECT_MIME", slack::WORK_OBJECT_MIME),
        ("SLACK_WORK_OBJECT_URI", slack::WORK_OBJECT_URI),
        ("STATE_TOOL", state::NAME),
        ("TOOLS_CALL", Method::ToolsCall.name()),
        ("TOOLS_LIST", Method::ToolsList.name()),
        ("UI_EXTENSION", mcp_apps::EXTENSION),
        ("UI_SCHEME", page::SCHEME),
        ("URI_LIST_MIME", extract::URI_LIST_MIME),
        ("VERSION", env!("CARGO_PKG_VERSION")),
        ("WIDGET_MIME", chatkit::MIME),
    ];
    literals.sort_unstable();
    let mut text = String::from(
        "// The literals shared by the Rust server and the pages. Generated: crates/widgetcast/src/web_literals.rs\n\
         // defines them, and a test there fails if this file is stale.\n\n",
    );
    for (name, literal) in literals {
        writeln!(text, "export const {name} = {literal:?};").unwrap();
    }
    if std::env::var_os("WIDGETCAST_BLESS").is_some() {
        std::fs::write(PATH, &text).unwrap();
    }
    let written = std::fs::read_to_string(PATH).unwrap();
    assert_eq!(written, text, "run WIDGETCAST_BLESS=1 cargo test -p widgetcast web_literals");
}
