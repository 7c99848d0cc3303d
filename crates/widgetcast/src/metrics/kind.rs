//! The metric types: those of prometheus-client if `/metrics` exists.

#[cfg(feature = "metrics")]
pub(crate) use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};

#[cfg(not(feature = "metrics"))]
pub(crate) use super::unread::{Counter, Family, Gauge, Histogram, Registry};
