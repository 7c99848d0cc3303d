//! Access rules of tools, widgets, resources and prompts.

use super::caller::Caller;
use super::refusal::Refusal;

/// The access rules of a tool, widget, resource or prompt. By default every authenticated caller may use
/// it; in an app without [`Builder::auth`](crate::Builder::auth), everyone.
///
/// ```
/// use widgetcast::{Access, App, Caller};
/// use widgetcast::auth::BearerKeys;
/// let app = App::new("shop", "1.0.0")
///     .auth(BearerKeys::new().key("a key of at least 16 bytes", Caller::new("till")))
///     .widget_access("refund_form", Access::default().scope("refunds").hidden());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    scopes: Vec<String>,
    is_public: bool,
    is_hidden: bool,
}

/// The default, for items without rules.
pub(crate) static ANY_CALLER: Access =
    Access { scopes: Vec::new(), is_public: false, is_hidden: false };

/// For public items.
pub(crate) static EVERYONE: Access =
    Access { scopes: Vec::new(), is_public: true, is_hidden: false };

impl Access {
    /// Requires a scope; if called more than once, all of them.
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.scopes.push(scope.into());
        self
    }

    /// Allows everyone, including unauthenticated callers.
    pub fn public(mut self) -> Self {
        self.is_public = true;
        self
    }

    /// Hides it from callers that may not use it: it is not listed, and calling it fails as if it did not
    /// exist.
    pub fn hidden(mut self) -> Self {
        self.is_hidden = true;
        self
    }

    pub(crate) fn is_public(&self) -> bool {
        self.is_public
    }

    pub(crate) fn is_hidden(&self) -> bool {
        self.is_hidden
    }

    pub(crate) fn scopes(&self) -> &[String] {
        &self.scopes
    }

    pub(crate) fn needs_scopes(&self) -> bool {
        !self.scopes.is_empty()
    }

    /// Whether this caller may use it.
    pub(crate) fn check(&self, caller: Option<&Caller>) -> Result<(), Refusal> {
        match caller {
            _ if self.is_public && self.scopes.is_empty() => Ok(()),
            None => Err(Refusal::unauthorized().with_scopes(&self.scopes)),
            Some(caller) if self.scopes.iter().all(|scope| caller.has_scope(scope)) => Ok(()),
            Some(_) => Err(Refusal::forbidden(self.scopes.iter().map(String::as_str))),
        }
    }

    /// Whether a list for this caller contains it.
    pub(crate) fn shows_to(&self, caller: Option<&Caller>) -> bool {
        !self.is_hidden || self.check(caller).is_ok()
    }
}

/// The methods that set the access rules in the field `access`.
macro_rules! access_setters {
    ($thing:ident, $verb:literal) => {
        impl $thing {
            #[doc = concat!(
                "Requires a scope to ", $verb, " it; if called more than once, all of them."
            )]
            pub fn scope(mut self, scope: impl Into<String>) -> Self {
                self.access = self.access.scope(scope);
                self
            }

            #[doc = concat!("Allows everyone to ", $verb, " it, including unauthenticated callers.")]
            pub fn public(mut self) -> Self {
                self.access = self.access.public();
                self
            }

            #[doc = concat!("Callers that may not ", $verb, " it do not see it.")]
            pub fn hidden(mut self) -> Self {
                self.access = self.access.hidden();
                self
            }
        }
    };
}
pub(super) use access_setters;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_may_use_what() {
        let ada = Caller::new("ada").scope("read").scope("write");
        let bob = Caller::new("bob").scope("read");
        let may = |access: &Access, caller: Option<&Caller>| access.check(caller).is_ok();
        let anyone = Access::default();
        assert!(may(&anyone, Some(&bob)) && !may(&anyone, None));
        let public = Access::default().public();
        assert!(may(&public, Some(&bob)) && may(&public, None));
        let both = Access::default().scope("read").scope("write");
        assert!(may(&both, Some(&ada)) && !may(&both, Some(&bob)) && !may(&both, None));
        assert!(both.shows_to(None) && both.shows_to(Some(&bob)));
        let hidden = both.hidden();
        assert!(hidden.shows_to(Some(&ada)));
        assert!(!hidden.shows_to(Some(&bob)) && !hidden.shows_to(None));
    }
}
