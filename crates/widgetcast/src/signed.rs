//! Signed tokens: a few bytes and their HMAC, in base64. Every process with the same key can verify them, so
//! the server stores nothing.
//!
//! Other ids use SipHash. These tokens are valid for longer and carry data, so they must be hard to forge.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use sha2::Sha256;

/// Half of the HMAC, as RFC 2104 allows: 128 bits cannot be guessed.
const TAG_BYTES: usize = 16;

/// Signs bytes for one purpose.
pub(crate) struct Signer(Hmac<Sha256>);

impl Signer {
    /// Signs with this key. A token for another purpose is not accepted.
    pub(crate) fn new(key: &[u8; 16], purpose: &str) -> Self {
        // A key shorter than a block is padded with zeros.
        let mut block = [0; 64];
        block[..key.len()].copy_from_slice(key);
        let mut mac = Hmac::new(&block.into());
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        Self(mac)
    }

    /// The bytes and their tag as text.
    pub(crate) fn sign(&self, bytes: &[u8]) -> String {
        let tag = self.0.clone().chain_update(bytes).finalize().into_bytes();
        URL_SAFE_NO_PAD.encode([bytes, &tag[..TAG_BYTES]].concat())
    }

    /// The bytes of a token, decoded into `room`; `None` if it was not signed with this key for this purpose,
    /// or does not fit.
    pub(crate) fn open<'r>(&self, text: &str, room: &'r mut [u8]) -> Option<&'r [u8]> {
        let length = URL_SAFE_NO_PAD.decode_slice(text, room).ok()?;
        let (bytes, tag) = room[..length].split_at_checked(length.checked_sub(TAG_BYTES)?)?;
        self.0.clone().chain_update(bytes).verify_truncated_left(tag).ok()?;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_signed_is_opened() {
        let signer = Signer::new(&[1; 16], "tests");
        let text = signer.sign(b"hello");
        let open =
            |signer: &Signer, text: &str| signer.open(text, &mut [0; 64]).map(<[u8]>::to_vec);
        assert_eq!(open(&signer, &text).as_deref(), Some(&b"hello"[..]));
        assert_eq!(open(&Signer::new(&[1; 16], "tests"), &text).as_deref(), Some(&b"hello"[..]));
        assert_eq!(open(&Signer::new(&[2; 16], "tests"), &text), None);
        assert_eq!(open(&Signer::new(&[1; 16], "other"), &text), None);
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(open(&signer, std::str::from_utf8(&changed).unwrap()), None, "{at}");
            assert_eq!(open(&signer, &text[..at]), None, "{at}");
        }
        assert_eq!(open(&signer, &"A".repeat(1000)), None, "too long for the room");
        assert_eq!(open(&signer, "no base64!"), None);
    }
}
