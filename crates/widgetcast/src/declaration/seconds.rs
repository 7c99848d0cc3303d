//! Durations as seconds, for `#[serde(with = "seconds")]`.

use std::time::Duration;

use serde::{Deserialize as _, Deserializer, Serializer};

pub(crate) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
    match time.subsec_nanos() {
        0 => to.serialize_u64(time.as_secs()),
        _ => to.serialize_f64(time.as_secs_f64()),
    }
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    let seconds = f64::deserialize(from)?;
    Duration::try_from_secs_f64(seconds).map_err(serde::de::Error::custom)
}
