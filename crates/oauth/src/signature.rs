//! Signatures of tokens, verified by ring. Nothing is signed, and secrets that are shared with a
//! provider (HS256 and the like) are not accepted.

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind, new_error};
use jsonwebtoken::signature::{self, Verifier};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind, EncodingKey};
use ring::signature as ring;

/// The supported algorithms, by name.
pub(crate) const ALGORITHMS: [(&str, Algorithm); 9] = [
    ("RS256", Algorithm::RS256),
    ("RS384", Algorithm::RS384),
    ("RS512", Algorithm::RS512),
    ("PS256", Algorithm::PS256),
    ("PS384", Algorithm::PS384),
    ("PS512", Algorithm::PS512),
    ("ES256", Algorithm::ES256),
    ("ES384", Algorithm::ES384),
    ("EdDSA", Algorithm::EdDSA),
];

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: cannot_sign,
    verifier_factory: verifier,
    key_utils: KeyUtils::new_unimplemented(),
};

/// Makes `jsonwebtoken` use ring, unless the program has chosen another provider.
pub(crate) fn install() {
    _ = PROVIDER.install_default();
}

fn cannot_sign(_: &Algorithm, _: &EncodingKey) -> Result<Box<dyn JwtSigner>, Error> {
    let words = "widgetcast-oauth only verifies; install a provider that signs before it";
    Err(new_error(ErrorKind::Provider(words.into())))
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    let family = algorithm.family();
    if family == AlgorithmFamily::Hmac || key.family() != family {
        return Err(new_error(ErrorKind::InvalidAlgorithm));
    }
    Ok(Box::new(Key { algorithm: *algorithm, key: key.clone() }))
}

struct Key {
    algorithm: Algorithm,
    key: DecodingKey,
}

impl JwtVerifier for Key {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

impl Verifier<Vec<u8>> for Key {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        let verified = match self.key.kind() {
            DecodingKeyKind::RsaModulusExponent { n, e } => rsa(self.algorithm).map(|parameters| {
                ring::RsaPublicKeyComponents { n, e }.verify(parameters, message, signature)
            }),
            DecodingKeyKind::SecretOrDer(key) => curve(self.algorithm).map(|algorithm| {
                ring::UnparsedPublicKey::new(algorithm, key).verify(message, signature)
            }),
        };
        match verified {
            Some(Ok(())) => Ok(()),
            _ => Err(signature::Error::new()),
        }
    }
}

fn rsa(algorithm: Algorithm) -> Option<&'static ring::RsaParameters> {
    match algorithm {
        Algorithm::RS256 => Some(&ring::RSA_PKCS1_2048_8192_SHA256),
        Algorithm::RS384 => Some(&ring::RSA_PKCS1_2048_8192_SHA384),
        Algorithm::RS512 => Some(&ring::RSA_PKCS1_2048_8192_SHA512),
        Algorithm::PS256 => Some(&ring::RSA_PSS_2048_8192_SHA256),
        Algorithm::PS384 => Some(&ring::RSA_PSS_2048_8192_SHA384),
        Algorithm::PS512 => Some(&ring::RSA_PSS_2048_8192_SHA512),
        _ => None,
    }
}

fn curve(algorithm: Algorithm) -> Option<&'static dyn ring::VerificationAlgorithm> {
    match algorithm {
        Algorithm::ES256 => Some(&ring::ECDSA_P256_SHA256_FIXED),
        Algorithm::ES384 => Some(&ring::ECDSA_P384_SHA384_FIXED),
        Algorithm::EdDSA => Some(&ring::ED25519),
        _ => None,
    }
}
