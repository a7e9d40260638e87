// Package access says who may call a planner, and how often: a policy file maps the identities of certificates and tokens to clusters and
// their limits. It makes no status and knows no gRPC; package server asks it.
package access
