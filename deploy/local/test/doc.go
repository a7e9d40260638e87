// Package test runs real control planes. Its tests have the build tag
// "controlplane", because they need what `setplan-local build` builds; with the
// tag they fail, and are never skipped, where that is missing.
package test
