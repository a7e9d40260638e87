// Package compare says what a planner would have done differently from the controller that runs a set. It judges snapshots and plans, and
// decides nothing.
//
// What was done is what differs from one snapshot to the next. The planner is asked whether it wants that, in the later snapshot without
// it: so it does not matter how much happened between two snapshots, and which of the API server's watches showed its part first.
package compare
