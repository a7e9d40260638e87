// Command bench measures the engine against the control of Kubernetes 1.36.3 on the same sets, in one process: steady
// state, rolling update and Parallel scale-up. Both sides decide only; upstream's writes go to a manager that does
// nothing, and what ours would send is in the plan, manifests included.
//
// Machines are noisy, so the two sides take turns, each figure is the median of many turns, and what counts is their
// ratio. Each result is a line
//
//	BENCH <scenario>/<pods> ours=<ns> upstream=<ns> ratio=<upstream/ours>
package main
