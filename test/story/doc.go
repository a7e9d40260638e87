// Package story runs stories: scripts of commands to a simulated cluster, with their output. README.md in testdata/stories describes
// the commands.
//
// In every story each reconcile is also planned twice, shuffled and through the wire, and each write is checked against the
// invariants. Violations appear in the output and in Problems.
package story
