// Package vectors makes the test vectors of the contract: from the stories, from the take-over corpus, from sets that are stuck
// on a real control plane, and from requests that are made up to be odd. A planner on a real socket answers them. The same
// sources give the same files.
package vectors
