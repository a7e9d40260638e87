// Package walls holds tests only: which room of the house imports which, who may import whom, what the engine may not use, what a program gets with the Go client,
// and what may lie at the root of the repository. Each failure says why the wall is there.
package walls
