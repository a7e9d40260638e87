// Package jsontree reads JSON into a tree that keeps what typed structs lose (unknown fields, the text of numbers) and
// writes it in the one form in which Kubernetes stores revisions: keys sorted, no spaces, strings and numbers as
// encoding/json writes them. Revision names are hashes of those bytes, so every byte counts.
package jsontree
