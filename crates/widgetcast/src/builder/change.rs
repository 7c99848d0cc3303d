//! Changes to a running app: adds or removes a tool, prompt or resource.

use std::sync::Arc;

use super::check::{self, describe_by_type, has_limited};
use super::error::BuildError;
use crate::quota::Quotas;
use crate::sdk::prompt::Prompt;
use crate::sdk::resource::Resource;
use crate::sdk::tool::Tool;
use crate::server::{ServedPrompt, ServedResource, Server};

/// The item to add or remove.
pub(crate) enum Edit<'e> {
    AddTool(Box<Tool>),
    AddPrompt(Prompt),
    AddResource(Resource),
    RemoveTool(&'e str),
    RemovePrompt(&'e str),
    RemoveResource(&'e str),
}

/// The next version. Additions are checked as in `build`.
pub(crate) fn next(server: &Server, edit: Edit<'_>) -> Result<Server, BuildError> {
    let mut mistakes = Vec::new();
    let mut tools = server.tools.clone();
    let (mut prompts, mut resources) = (server.prompts.clone(), server.resources.clone());
    let snapshot = server.reloader.keep();
    let offers = check::Offers { states: &server.states, policy: &server.given_policy };
    match edit {
        Edit::AddTool(mut tool) => {
            describe_by_type(&mut tool.description, &mut tool.input);
            offers.check_one(
                &format!("tool {}", tool.name),
                &tool.needs,
                &tool.access,
                &mut mistakes,
            );
            let parts = check::Parts { catalog: &snapshot.catalog, pages: &server.pages };
            for (name, served) in check::tools(vec![*tool], parts, &mut mistakes) {
                if tools.insert(name.clone(), served).is_some() {
                    mistakes.push(format!("a tool named {name} already exists"));
                }
            }
        }
        Edit::AddPrompt(mut prompt) => {
            let Prompt { name, needs, access, .. } = &prompt;
            offers.check_one(&format!("prompt {name}"), needs, access, &mut mistakes);
            if server.prompt(name).is_some() {
                mistakes.push(format!("a prompt named {name} already exists"));
            }
            describe_by_type(&mut prompt.description, &mut prompt.input);
            prompts.extend(check::prompts(vec![prompt], &mut mistakes));
        }
        Edit::AddResource(resource) => {
            let Resource { uri, needs, access, .. } = &resource;
            offers.check_one(&format!("resource {uri:?}"), needs, access, &mut mistakes);
            if resources.iter().any(|served| served.resource.uri == *uri) {
                mistakes.push(format!("a resource with the URI {uri} already exists"));
            }
            resources.extend(check::resources(vec![resource], &mut mistakes));
        }
        Edit::RemoveTool(name) => _ = tools.remove(name),
        Edit::RemovePrompt(name) => {
            prompts.retain(|served: &Arc<ServedPrompt>| served.prompt.name != name);
        }
        Edit::RemoveResource(uri) => {
            resources.retain(|served: &Arc<ServedResource>| served.resource.uri != uri);
        }
    }
    let shown = check::shown(&tools);
    check::actions(&tools, &shown, &snapshot.catalog, &mut mistakes);
    if !mistakes.is_empty() {
        return Err(BuildError::new(mistakes));
    }
    let policy = server.given_policy.clone();
    let policy = check::policy(policy, &tools, &prompts, &resources, &server.methods);
    let quotas = server.quotas.clone();
    let quotas = quotas.or_else(|| Quotas::new(&server.settings.quotas, has_limited(&tools)));
    let (fixed, number) = (Arc::clone(&server.fixed), server.number + 1);
    Ok(Server { fixed, number, tools, shown, resources, prompts, policy, quotas })
}
