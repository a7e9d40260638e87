// Package forecast asks whether forecasts come true. A random set is brought into a random state on the simulated cluster and edited; what
// engine/forecast says is compared with what then happens, write by write and second by second, how it ends included.
//
//	hosts.go     a simulated cluster whose hosts keep to what forecasts assume, and an adapter that reconciles
//	history.go   what has really happened, read from the cluster's history
//	told.go      what the forecast says, in the same words
//	life.go      random sets, states and edits
//	outcome.go   those words
//	truth.go     both, and where they differ
//	worst.go     the worst case, and hosts that take as long as they like
package forecast
