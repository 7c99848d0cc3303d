//! The layers of the code, read from its imports and compared with DESIGN.md.
//!
//! - every file and folder of a crate's `src` is a room that DESIGN.md lists;
//! - a room uses nothing to its right in that list;
//! - no two files import each other, directly or in a larger circle, and no two folders do;
//! - every file of the SDK defines something that its crate exports;
//! - only the transports know HTTP, only the engine knows minijinja;
//! - a surface does not reach into another one.
//!
//! An import of a re-exported item counts as one of the file that defines it.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use syn::visit::Visit;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

const CRATES: [&str; 10] = [
    "engine",
    "core",
    "widgetcast",
    "oauth",
    "display",
    "store",
    "agent",
    "chatkit",
    "wrap",
    "cli",
];

/// The path of a module inside its crate: `["surface", "slack"]`; empty for the crate itself.
type Module = Vec<String>;

/// One file of a crate.
struct File {
    path: String,
    module: Module,
    /// Paths that start at the crate: module and item names, as far as they were written.
    uses: Vec<Vec<String>>,
    /// Other crates that it names.
    foreign: BTreeSet<String>,
    /// What it re-exports, by the name under which it does.
    exports: BTreeMap<String, Vec<String>>,
    /// Modules whose items it re-exports all.
    globs: Vec<Vec<String>>,
}

/// Collects the paths of a file.
struct Reader<'f> {
    file: &'f mut File,
    /// Names of modules inside the file, such as `mod tests`.
    inside: Vec<String>,
    children: BTreeSet<String>,
}

impl Reader<'_> {
    /// A path as it starts at the crate, or none if it starts elsewhere.
    fn absolute(&mut self, path: &[String]) -> Option<Vec<String>> {
        let mut here: Module = self.file.module.clone();
        here.extend(self.inside.iter().cloned());
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([here, path[1..].to_vec()].concat()),
            "super" => {
                let up = path.iter().take_while(|part| *part == "super").count();
                here.truncate(here.len().saturating_sub(up));
                Some([here, path[up..].to_vec()].concat())
            }
            first if self.children.contains(first) && self.inside.is_empty() => {
                Some([here, path.to_vec()].concat())
            }
            first => {
                self.file.foreign.insert(first.to_owned());
                None
            }
        }
    }

    fn leaves(
        tree: &syn::UseTree,
        before: &[String],
        out: &mut Vec<(Vec<String>, Option<String>)>,
    ) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => Self::leaves(&path.tree, &with(&path.ident), out),
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| Self::leaves(tree, before, out));
            }
            syn::UseTree::Name(name) if name.ident == "self" => {
                out.push((before.to_vec(), before.last().cloned()));
            }
            syn::UseTree::Name(name) => out.push((with(&name.ident), Some(name.ident.to_string()))),
            syn::UseTree::Rename(name) => {
                out.push((with(&name.ident), Some(name.rename.to_string())));
            }
            syn::UseTree::Glob(_) => out.push((before.to_vec(), None)),
        }
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|what| what == "test")
    })
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if is_test(&item.attrs) {
            return;
        }
        if item.content.is_some() {
            self.inside.push(item.ident.to_string());
            syn::visit::visit_item_mod(self, item);
            self.inside.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if is_test(&item.attrs) {
            return;
        }
        let mut leaves = Vec::new();
        Self::leaves(&item.tree, &[], &mut leaves);
        let is_export = !matches!(item.vis, syn::Visibility::Inherited) && self.inside.is_empty();
        for (path, name) in leaves {
            let Some(path) = self.absolute(&path) else { continue };
            match name {
                Some(name) if is_export => _ = self.file.exports.insert(name, path),
                None if is_export => self.file.globs.push(path),
                _ => self.file.uses.push(path),
            }
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_test(&item.attrs) {
            syn::visit::visit_item_fn(self, item);
        }
    }

    /// `pub(in crate::template)` imports nothing.
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if parts.len() > 1 && matches!(parts[0].as_str(), "crate" | "super" | "self") {
            if let Some(path) = self.absolute(&parts) {
                self.file.uses.push(path);
            }
        } else if parts.len() > 1 {
            if self.children.contains(&parts[0]) && self.inside.is_empty() {
                let path = [self.file.module.clone(), parts].concat();
                self.file.uses.push(path);
            } else {
                self.file.foreign.insert(parts[0].clone());
            }
        }
        syn::visit::visit_path(self, path);
    }
}

fn rust_files(dir: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            rust_files(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            out.push(path);
        }
    }
}

static FILES: LazyLock<BTreeMap<&str, BTreeMap<Module, File>>> =
    LazyLock::new(|| CRATES.into_iter().map(|name| (name, read_crate(name))).collect());

/// The files of a crate by module, without tests.
fn read(name: &str) -> &'static BTreeMap<Module, File> {
    FILES.get(name).unwrap_or_else(|| panic!("there is no crate {name}"))
}

fn read_crate(name: &str) -> BTreeMap<Module, File> {
    let src = root().join("crates").join(name).join("src");
    let mut paths = Vec::new();
    rust_files(&src, &mut paths);
    let mut files = BTreeMap::new();
    for path in paths {
        let relative = path.strip_prefix(&src).unwrap().with_extension("");
        let mut module: Module =
            relative.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
        if module.last().is_some_and(|last| matches!(last.as_str(), "tests")) {
            continue;
        }
        if module.last().is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main")) {
            module.pop();
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let parsed = syn::parse_file(&text).unwrap();
        let children = parsed.items.iter().filter_map(|item| match item {
            syn::Item::Mod(item) => Some(item.ident.to_string()),
            _ => None,
        });
        let mut file = File {
            path: format!("crates/{name}/src/{}", path.strip_prefix(&src).unwrap().display()),
            module: module.clone(),
            uses: Vec::new(),
            foreign: BTreeSet::new(),
            exports: BTreeMap::new(),
            globs: Vec::new(),
        };
        Reader { children: children.collect(), inside: Vec::new(), file: &mut file }
            .visit_file(&parsed);
        assert!(files.insert(module, file).is_none(), "{} twice", path.display());
    }
    files
}

/// The module whose file defines what a path names.
fn defined_in(files: &BTreeMap<Module, File>, path: &[String], depth: usize) -> Option<Module> {
    if depth > 16 {
        return None;
    }
    let mut module: Module = Vec::new();
    for (at, part) in path.iter().enumerate() {
        let next = [module.clone(), vec![part.clone()]].concat();
        if files.contains_key(&next) {
            module = next;
            continue;
        }
        let file = files.get(&module)?;
        if let Some(target) = file.exports.get(part) {
            let target = [target.clone(), path[at + 1..].to_vec()].concat();
            return defined_in(files, &target, depth + 1);
        }
        return Some(module);
    }
    Some(module)
}

/// Who imports whom.
type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// Which files each file imports.
fn imports(files: &BTreeMap<Module, File>) -> Imports {
    let mut out = BTreeMap::new();
    for (module, file) in files {
        let targets = file.uses.iter().filter_map(|path| defined_in(files, path, 0));
        let targets = targets.filter(|target| target != module);
        out.insert(module.clone(), targets.collect());
    }
    out
}

/// The same between what is in one directory: a file, or a directory with all that is in it.
fn imports_inside(folder: &[String], imports: &Imports) -> Imports {
    let depth = folder.len();
    let entry = |module: &Module| {
        (module.len() > depth && module.starts_with(folder)).then(|| module[..=depth].to_vec())
    };
    let mut out = Imports::new();
    for (module, targets) in imports {
        let Some(from) = entry(module) else { continue };
        let targets = targets.iter().filter_map(entry).filter(|target| *target != from);
        let targets: Vec<Module> = targets.collect();
        out.entry(from).or_default().extend(targets);
    }
    out
}

/// Groups of those that import each other.
fn circles(imports: &Imports) -> Vec<Vec<Module>> {
    let reach = |from: &Module| {
        let mut seen: BTreeSet<Module> = BTreeSet::new();
        let mut next = vec![from.clone()];
        while let Some(module) = next.pop() {
            for target in imports.get(&module).into_iter().flatten() {
                if seen.insert(target.clone()) {
                    next.push(target.clone());
                }
            }
        }
        seen
    };
    let reaches: BTreeMap<&Module, BTreeSet<Module>> =
        imports.keys().map(|module| (module, reach(module))).collect();
    let mut out: Vec<Vec<Module>> = Vec::new();
    for (module, reached) in &reaches {
        if reached.contains(*module) && !out.iter().flatten().any(|known| known == *module) {
            let group = reaches
                .iter()
                .filter(|(other, back)| reached.contains(**other) && back.contains(*module));
            out.push(group.map(|(module, _)| (*module).clone()).collect());
        }
    }
    out
}

/// The rooms of every directory that DESIGN.md lists, in groups from left to right.
fn picture() -> BTreeMap<String, Vec<Vec<String>>> {
    let text = std::fs::read_to_string(root().join("DESIGN.md")).unwrap();
    let block = text.split("```rooms\n").nth(1).expect("DESIGN.md has a block of rooms");
    let block = block.split("```").next().unwrap();
    let mut out = BTreeMap::new();
    for line in block.lines().filter(|line| !line.trim().is_empty()) {
        let (folder, rooms) = line.split_once(": ").expect(line);
        let groups =
            rooms.split('|').map(|group| group.split_whitespace().map(str::to_owned).collect());
        out.insert(folder.trim().to_owned(), groups.collect());
    }
    out
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut found = String::new();
    for name in CRATES {
        let files = read(name);
        let imports = imports(files);
        assert!(
            imports.values().any(|targets| !targets.is_empty()),
            "{name}: no imports were read"
        );
        for circle in circles(&imports) {
            writeln!(found, "{name}:").unwrap();
            for module in &circle {
                for target in imports[module].iter().filter(|target| circle.contains(target)) {
                    writeln!(found, "  {} -> {}", files[module].path, files[target].path).unwrap();
                }
            }
        }
    }
    assert!(found.is_empty(), "files that import each other:\n{found}");
}

#[test]
fn no_folders_import_each_other_in_a_circle() {
    let mut found = String::new();
    for name in CRATES {
        let imports = imports(read(name));
        let folders: BTreeSet<&[String]> = imports
            .keys()
            .flat_map(|module| (0..module.len()).map(|depth| &module[..depth]))
            .collect();
        for folder in folders {
            for circle in circles(&imports_inside(folder, &imports)) {
                let names = circle.iter().filter_map(|module| module.last());
                let names: Vec<&str> = names.map(String::as_str).collect();
                writeln!(found, "{name}/{}: {}", folder.join("/"), names.join(", ")).unwrap();
            }
        }
    }
    assert!(found.is_empty(), "rooms that import each other:\n{found}");
}

#[test]
fn rooms_use_nothing_to_their_right() {
    let mut found = String::new();
    for (folder, groups) in picture() {
        let Some((name, inside)) =
            folder.strip_prefix("crates/").and_then(|rest| rest.split_once("/src"))
        else {
            panic!("{folder}: a folder of rooms is crates/NAME/src/…");
        };
        let inside: Module =
            inside.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let files = read(name);
        let rank = |module: &Module| {
            let room = module.strip_prefix(inside.as_slice())?.first()?;
            groups.iter().position(|group| group.contains(room))
        };
        for (module, targets) in imports(files) {
            for target in targets {
                if let (Some(from), Some(to)) = (rank(&module), rank(&target))
                    && to > from
                {
                    writeln!(found, "{} -> {}", files[&module].path, files[&target].path).unwrap();
                }
            }
        }
    }
    assert!(found.is_empty(), "imports against the direction of DESIGN.md:\n{found}");
}

#[test]
fn the_picture_lists_every_room() {
    let picture = picture();
    for name in CRATES {
        let folder = format!("crates/{name}/src");
        assert!(picture.contains_key(&folder), "DESIGN.md does not list {folder}");
    }
    for (folder, groups) in picture {
        let mut listed: Vec<String> = groups.into_iter().flatten().collect();
        listed.sort();
        let entries = std::fs::read_dir(root().join(&folder)).unwrap();
        let rooms = entries
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_dir() || path.extension().is_some_and(|ending| ending == "rs"));
        let rooms = rooms.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
        let mut rooms: Vec<String> = rooms
            .filter(|room| !matches!(room.as_str(), "lib" | "main" | "mod" | "tests"))
            .collect();
        rooms.sort();
        // A file, and the directory of its tests.
        rooms.dedup();
        assert_eq!(listed, rooms, "the rooms of {folder}");
    }
}

#[test]
fn the_sdk_holds_only_what_users_see() {
    let files = read("widgetcast");
    let root = &files[&Module::new()];
    // What the modules of the root re-export counts as its uses.
    let named = root.exports.values().chain(&root.uses);
    let seen: BTreeSet<&[String]> = named.filter_map(|path| path.get(..2)).collect();
    for (module, file) in files {
        if module.len() == 2 && module[0] == "sdk" {
            assert!(seen.contains(module.as_slice()), "{} has no public name", file.path);
        }
    }
}

#[test]
fn only_some_know_http_minijinja_and_each_other() {
    for name in CRATES {
        for (module, file) in read(name) {
            let knows = |names: &[&str]| names.iter().any(|name| file.foreign.contains(*name));
            if knows(&[
                "http",
                "http_body",
                "http_body_util",
                "hyper",
                "hyper_util",
                "tower_service",
            ]) {
                let module: Vec<&str> = module.iter().map(String::as_str).collect();
                let may = matches!(name, "agent" | "cli" | "oauth" | "wrap")
                    || matches!((name, module.as_slice()), ("chatkit", ["endpoint" | "error"]))
                    || matches!(module.as_slice(), ["transport" | "app" | "test", ..])
                    || matches!(module.as_slice(), ["sdk", "auth" | "extract"])
                    || matches!(module.as_slice(), ["call", "http_parts"]);
                assert!(may, "{} knows HTTP", file.path);
            }
            if knows(&["minijinja", "minijinja_contrib"]) {
                assert_eq!(name, "engine", "{} knows minijinja", file.path);
            }
            if knows(&["jsonwebtoken", "ring"]) {
                assert_eq!(name, "oauth", "{} knows signatures", file.path);
            }
            if knows(&["reqwest"]) {
                assert!(matches!(name, "agent" | "wrap"), "{} sends requests", file.path);
            }
            if knows(&["async_openai", "rmcp"]) {
                assert_eq!(name, "agent", "{} talks to models or MCP servers", file.path);
            }
            if knows(&["tokio", "futures_util"]) {
                assert!(!matches!(name, "engine" | "core"), "{} knows a runtime", file.path);
            }
        }
    }
}

#[test]
fn a_surface_does_not_reach_into_another() {
    const HOSTS: [&str; 8] =
        ["text", "terminal", "chatkit", "mcp_apps", "chatgpt", "slack", "adaptive", "html"];
    let files = read("core");
    let host = |module: &Module| match module.as_slice() {
        [surface, room, ..] if surface == "surface" => HOSTS.into_iter().find(|host| host == room),
        _ => None,
    };
    let mut seen = BTreeSet::new();
    for (module, targets) in imports(files) {
        let Some(one) = host(&module) else { continue };
        seen.insert(one);
        for target in targets {
            if let Some(other) = host(&target).filter(|other| *other != one) {
                // ChatGPT shows MCP Apps pages, and both show ChatKit trees: the later ones name the
                // literals of the earlier ones, which is all that is public there.
                let allowed = [("chatgpt", "mcp_apps"), ("mcp_apps", "chatkit")];
                assert!(
                    allowed.contains(&(one, other)) && target.len() == 2,
                    "{} reaches into {}",
                    files[&module].path,
                    files[&target].path
                );
            }
        }
    }
    assert_eq!(seen.len(), HOSTS.len(), "{seen:?}");
}

/// Every path in the table "Where to change what" leads somewhere.
#[test]
fn where_to_change_what_names_files_that_exist() {
    let text = std::fs::read_to_string(root().join("DESIGN.md")).unwrap();
    let table = text.split("## Where to change what").nth(1).unwrap();
    let table = table.split("\n## ").next().unwrap();
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() >= 25, "{} rows", rows.len());
    for row in rows {
        let file = row.split('|').nth(2).unwrap();
        let path = file.split('`').nth(1).unwrap_or_else(|| panic!("no file in {row}"));
        assert!(root().join(path).exists(), "there is no {path}");
    }
}

/// One file may: the one that asks C's library to give memory back.
#[test]
fn only_the_allocator_is_unsafe() {
    for name in CRATES {
        for file in read(name).values() {
            let text = std::fs::read_to_string(root().join(&file.path)).unwrap();
            let may = file.path.ends_with("crates/cli/src/allocator.rs");
            assert!(may || !text.contains("unsafe_code"), "{} allows unsafe code", file.path);
        }
    }
}

/// Whatever grows with what callers and authors send is done under a budget, which is opened where it can be
/// interrupted. The types see to the rest: answering a request and what the gallery asks for take a
/// `Budgeted`, which only `worker.rs` can make.
#[test]
fn work_is_begun_where_it_has_a_budget() {
    const BEGINNINGS: [(&str, &[&str]); 6] = [
        ("Budgeted(())", &["worker.rs"]),
        ("Budget::trial()", &["worker.rs", "protocol/tools/complete.rs"]),
        ("Budget::default()", &["worker.rs", "protocol/tools/complete.rs"]),
        ("spawn_blocking(", &["worker.rs", "transport/http/tls.rs"]),
        ("check_widget(", &["gallery/mod.rs"]),
        ("check_all()", &["reload/mod.rs"]),
    ];
    let has_only = |name: &str, beginnings: &[(&str, &[&str])]| {
        for file in read(name).values() {
            let text = std::fs::read_to_string(root().join(&file.path)).unwrap();
            for (begins, files) in beginnings {
                let may = files.iter().any(|may| file.path.ends_with(&format!("src/{may}")));
                assert!(may || !text.contains(begins), "{} has {begins}", file.path);
            }
        }
    };
    has_only("widgetcast", &BEGINNINGS);
    // What comes of tools and servers is read on the same workers.
    for name in ["agent", "chatkit", "wrap"] {
        const NOTHING: &[&str] = &[];
        has_only(
            name,
            &[
                ("Budget::default()", NOTHING),
                ("Budget::trial()", &["relay.rs"]),
                ("spawn_blocking(", NOTHING),
                (" extract(", &["tools.rs"]),
            ],
        );
    }
}

/// The functions of a crate that read or write JSON, or search results, without a `Budgeted`.
struct Unbudgeted<'f> {
    file: &'f str,
    /// More functions that do so.
    also: &'f [&'f str],
    /// The enclosing functions and closures: their names, and whether they take a `Budgeted`.
    around: Vec<(String, bool)>,
    found: BTreeSet<String>,
}

impl Unbudgeted<'_> {
    fn within(&mut self, name: String, takes: bool, visit: impl FnOnce(&mut Self)) {
        self.around.push((name, takes));
        visit(self);
        self.around.pop();
    }
}

fn is_budgeted(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else { return false };
    path.path.segments.last().is_some_and(|last| last.ident == "Budgeted")
}

fn takes_budgeted(signature: &syn::Signature) -> bool {
    signature.inputs.iter().any(|input| match input {
        syn::FnArg::Typed(input) => is_budgeted(&input.ty),
        syn::FnArg::Receiver(_) => false,
    })
}

impl<'ast> Visit<'ast> for Unbudgeted<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if item.ident != "tests" {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let (name, takes) = (item.sig.ident.to_string(), takes_budgeted(&item.sig));
        self.within(name, takes, |this| syn::visit::visit_item_fn(this, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        let (name, takes) = (item.sig.ident.to_string(), takes_budgeted(&item.sig));
        self.within(name, takes, |this| syn::visit::visit_impl_item_fn(this, item));
    }

    fn visit_expr_closure(&mut self, item: &'ast syn::ExprClosure) {
        let takes = item.inputs.iter().any(|input| match input {
            syn::Pat::Type(input) => is_budgeted(&input.ty),
            _ => false,
        });
        self.within(String::new(), takes, |this| syn::visit::visit_expr_closure(this, item));
    }

    fn visit_expr_path(&mut self, item: &'ast syn::ExprPath) {
        let names: Vec<String> =
            item.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let grows = match names.as_slice() {
            [.., "serde_json", name] => name.starts_with("from_") || name.starts_with("to_"),
            [.., of, name] if self.also.contains(&&*format!("{of}::{name}")) => true,
            [.., name] => matches!(*name, "extract" | "text_depth") || self.also.contains(name),
            [] => false,
        };
        if grows && !self.around.iter().any(|(_, takes)| *takes) {
            let mut names = self.around.iter().map(|(name, _)| name.as_str());
            let name = names.rfind(|name| !name.is_empty()).unwrap_or_default();
            self.found.insert(format!("{} {name}", self.file));
        }
        syn::visit::visit_expr_path(self, item);
    }
}

/// In the chat, what has the size of a message, a result or a row is read and written with a `Budgeted`,
/// which only a worker can make. The rest is bounded, for the reason given here.
#[test]
fn the_chat_reads_and_writes_within_a_budget() {
    const BOUNDED: [(&str, &str); 7] = [
        ("agent.rs told", "a model's arguments, of at most one response"),
        ("approval.rs question", "the same"),
        ("chatkit.rs text", "of a thread without its items, or in a worker"),
        ("owner.rs issuer", "an issuer and a subject"),
        ("owner.rs subject", "the same"),
        ("store/rows.rs text", "a thread or an attachment: their names are limited"),
        ("store/statement.rs parse", "the same"),
    ];
    assert_eq!(unbudgeted("chatkit", &[], &[]), BOUNDED.map(|(place, _)| place.to_owned()).into());
}

/// The same of what a client or a server sends through `wrap`. Files that do no I/O are called from the others,
/// within a budget.
#[test]
fn the_relay_reads_and_writes_within_a_budget() {
    const WITHOUT_IO: [&str; 11] = [
        "auto/",
        "mapping.rs",
        "message.rs",
        "relay.rs",
        "several/answers.rs",
        "several/asked.rs",
        "several/names.rs",
        "several/places.rs",
        "several/router.rs",
        "several/union.rs",
        "views.rs",
    ];
    const READS: [&str; 12] = [
        "Message::read",
        "Members::read",
        "Recording::read_all",
        "add_members",
        "batch",
        "is_unambiguous",
        "suggest",
        "value_at",
        "with_member",
        "with_strings",
        "with_trace",
        "with_value",
    ];
    const BOUNDED: [(&str, &str); 8] = [
        ("recordings.rs new", "at start, before anybody calls"),
        ("recordings.rs read_all", "files of at most 4 MiB each, at start or for a draft"),
        (
            "recordings.rs record",
            "a result of at most 1 MiB, in the budget in which the relay reads it",
        ),
        ("recordings.rs write", "the same"),
        ("tools/config.rs schema_of", "a file of the operator, at start"),
        ("tools/mod.rs outcome", "what a program of the operator prints, at most 4 MiB"),
        ("tools/url.rs call", "what a URL of the operator returns, at most 4 MiB"),
        ("tools/warm.rs call", "what a program of the operator prints, at most 4 MiB"),
    ];
    let bounded = BOUNDED.map(|(place, _)| place.to_owned()).into();
    assert_eq!(unbudgeted("wrap", &READS, &WITHOUT_IO), bounded);
}

/// What a crate does without a `Budgeted`, but for some files.
fn unbudgeted(name: &str, also: &[&str], but: &[&str]) -> BTreeSet<String> {
    let source = format!("crates/{name}/src/");
    let mut found = BTreeSet::new();
    for file in read(name).values() {
        let name = file.path.strip_prefix(&source).unwrap();
        if but.iter().any(|but| name.starts_with(but)) {
            continue;
        }
        let text = std::fs::read_to_string(root().join(&file.path)).unwrap();
        let mut visitor =
            Unbudgeted { file: name, also, around: Vec::new(), found: BTreeSet::new() };
        visitor.visit_file(&syn::parse_file(&text).unwrap());
        found.append(&mut visitor.found);
    }
    found
}
