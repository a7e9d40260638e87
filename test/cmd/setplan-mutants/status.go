package main

// statusMutations break rules for the status that upstream does not have, so its code cannot find them.
var statusMutations = []mutation{
	{"collected-revision", "revision.go", "collected := name == v.set.Status.UpdateRevision && ", "collected := false && ",
		"the revision of a set that is being deleted is made again"},
	{"status-of-failed-creates", "status.go", "AlwaysRun: !ahead && !out.uncertain})", "AlwaysRun: (!ahead || true) && !out.uncertain})",
		"the status counts pods that could not be created"},
	{"counts-created-after-failure", "counters.go", "|| out.anyFailed() {", "{",
		"while a create keeps failing the status is never written"},
	{"counts-created-at-update", "replicas.go", "pass.out.created = revision", "pass.out.created = pass.view.update.name",
		"a pod that is created below the partition counts as updated"},
	{"counts-created-of-parallel", "replicas.go", "if !pass.view.parallel() {\n\t\tpass.out", "if true {\n\t\tpass.out",
		"the status of a Parallel set counts pods that could not be created"},
	{"pause-of-deleted-set", "pause.go", "case v.emptying():", "case false:",
		"a deleted set counts as converged while its drain is paused"},
}
