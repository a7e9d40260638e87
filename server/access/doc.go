// Package access decides who may call a planner, and how often: a policy file maps the identities of certificates and tokens to clusters
// and their limits. It does not know gRPC; package server asks it and makes the errors.
package access
