//! Parts of the program behind features. Using a missing one is an error.

use widgetcast::Builder;
use widgetcast::store::StoreLimits;

use crate::outcome::Failure;

/// The error for an option that needs a feature.
#[cfg(not(all(feature = "display", feature = "stores", feature = "telemetry")))]
pub(crate) fn missing(option: &str, feature: &str) -> Failure {
    format!("{option} requires a build of widgetcast with the feature `{feature}`").into()
}

/// Adds the display tools.
#[cfg(feature = "display")]
pub(crate) fn add_display(app: Builder) -> Result<Builder, Failure> {
    Ok(widgetcast_display::add_to(app))
}

#[cfg(not(feature = "display"))]
pub(crate) fn add_display(_: Builder) -> Result<Builder, Failure> {
    Err(missing("--display", "display"))
}

/// Sets the store for view data by its URL.
#[cfg(feature = "stores")]
pub(crate) async fn add_store(
    app: Builder,
    url: &str,
    limits: &StoreLimits,
) -> Result<Builder, Failure> {
    Ok(app.store(widgetcast_store::connect(url, limits).await?))
}

#[cfg(not(feature = "stores"))]
pub(crate) async fn add_store(
    app: Builder,
    url: &str,
    _: &StoreLimits,
) -> Result<Builder, Failure> {
    match url {
        "memory:" => Ok(app),
        url => Err(missing(&format!("--store {url}"), "stores")),
    }
}
