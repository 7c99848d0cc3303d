//! One suite for every engine. PostgreSQL and Redis are started here.

#![allow(clippy::unwrap_used)]

mod contract;
mod migrations;
mod outage;
mod servers;
mod space;
