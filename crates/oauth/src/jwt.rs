//! Signed tokens: the header names the key, which must be one of the provider's.

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, Header, Validation, decode, decode_header};
use serde_json::{Map, Value};
use widgetcast::auth::Refusal;

use crate::keys::{Key, KeySet};

/// Maximum keys that are tried for a token that names none.
const MAX_TRIED: usize = 4;

/// Why a token is not accepted.
pub(crate) enum Unverified {
    /// The provider has no such key, or it has not been fetched.
    UnknownKey,
    Refused(Refusal),
}

/// Whether a token is a JWT rather than opaque.
pub(crate) fn is_jwt(token: &str) -> bool {
    // The prefix of every JSON object in base64.
    token.starts_with("ey") && token.split('.').count() == 3
}

/// The claims of a token with a valid signature, issuer and times.
pub(crate) fn verify(
    token: &str,
    set: &KeySet,
    algorithms: &[Algorithm],
    leeway: u64,
) -> Result<Map<String, Value>, Unverified> {
    let refuse = |words: &str| Unverified::Refused(Refusal::invalid_token(words));
    let header = decode_header(token).map_err(|_| refuse("unsupported token format"))?;
    if !algorithms.contains(&header.alg) {
        return Err(refuse("the token's algorithm is not allowed"));
    }
    if !is_access_token(&header) {
        return Err(refuse("this is not an access token"));
    }
    let mut validation = Validation::new(header.alg);
    validation.leeway = leeway;
    validation.validate_nbf = true;
    validation.set_issuer(&[&set.issuer]);
    validation.set_required_spec_claims(&["exp", "iss"]);
    // Providers use different claims for it.
    validation.validate_aud = false;
    let mut error = Unverified::UnknownKey;
    for key in fitting(set, &header).take(MAX_TRIED) {
        match decode::<Map<String, Value>>(token, &key.decoding, &validation) {
            Ok(token) => return Ok(token.claims),
            Err(fault) => error = refuse(words(fault.kind())),
        }
    }
    Err(error)
}

/// The keys that may have signed a token.
fn fitting<'s>(set: &'s KeySet, header: &'s Header) -> impl Iterator<Item = &'s Key> {
    set.keys.iter().filter(|key| {
        let is_named = header.kid.is_none() || key.id == header.kid;
        is_named
            && key.decoding.family() == header.alg.family()
            && key.algorithm.is_none_or(|algorithm| algorithm == header.alg)
    })
}

/// Other kinds of tokens are signed with the same keys.
fn is_access_token(header: &Header) -> bool {
    let kind = header.typ.as_deref().map(str::to_ascii_lowercase);
    header.crit.is_none()
        && matches!(kind.as_deref(), None | Some("jwt" | "at+jwt" | "application/at+jwt"))
}

fn words(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::ExpiredSignature => "the token has expired",
        ErrorKind::ImmatureSignature => "the token is not valid yet",
        ErrorKind::InvalidIssuer => "the token is from another issuer",
        ErrorKind::MissingRequiredClaim(_) | ErrorKind::InvalidClaimFormat(_) => {
            "the token lacks a required claim"
        }
        ErrorKind::InvalidSignature => "the token's signature is invalid",
        _ => "the token cannot be verified",
    }
}
