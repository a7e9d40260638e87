// Package lies is a planner that lies, and a judge: true plans of several sets are changed by a mutator that knows the
// contract, and carried out against a simulated cluster. Whatever the plan says, nothing but the set's own objects changes, no
// pod runs what no template says, and no claim goes that was not drained. The judge reads the cluster's objects and knows
// nothing of adapters/verify, which it judges.
package lies
