//! `#[needs_shared("corpus")]` on a test: it is ignored, with the reason, where the folder
//! `../shared/corpus` beside the repository is absent, and runs where it is present.
//!
//! libtest cannot ignore a test at run time, and a `cfg` would need a build script in a crate that is
//! published. So the folder is looked for when the test is compiled; touch the test's file after
//! adding the folder. The crate `test-with` does the same but needs a newer Rust than this workspace.

use proc_macro::TokenStream;
use std::path::Path;

/// Ignores the test below it if the named folder of `../shared` is absent.
#[proc_macro_attribute]
pub fn needs_shared(folder: TokenStream, test: TokenStream) -> TokenStream {
    let folder = folder.to_string();
    let folder = folder.trim_matches('"');
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if shared.join(folder).is_dir() {
        return test;
    }
    let ignore = format!("#[ignore = \"needs ../shared/{folder}\"]");
    let mut marked: TokenStream = ignore.parse().expect("an attribute");
    marked.extend(test);
    marked
}
