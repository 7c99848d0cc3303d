//! The kinds of metrics: those of prometheus-client, where `/metrics` prints them.

#[cfg(feature = "metrics")]
pub(crate) use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};

#[cfg(not(feature = "metrics"))]
pub(crate) use super::unread::{Counter, Family, Gauge, Histogram, Registry};
