//! Tests of the client, the snapshots and the parts of an adapter, in one program: each program is linked for itself.

mod proto;
mod servers;
mod vector;
mod vectors;
