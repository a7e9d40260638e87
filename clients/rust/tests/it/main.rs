//! Tests of the client, in one program: each program is linked for itself.

mod client;
mod fakes;
mod forecasts;
mod pages;
mod servers;
mod vector;
mod vectors;
