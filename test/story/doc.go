// Package story runs stories: scripts of commands to a simulated cluster, with what came of each. The commands stand in
// README.md beside the stories, in test/story/testdata/stories.
//
// Whatever a story is about, every reconcile in it is also planned twice, shuffled and through the wire, and every write
// is checked against the invariants; what does not hold appears in the output and in Problems.
package story
