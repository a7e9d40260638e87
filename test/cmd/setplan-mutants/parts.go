package main

// part is a part of the repository, its mutations, and the finder of them.
type part struct {
	name      string
	folder    string // of the mutations' files, from the root
	found     finder
	mutations []mutation
}

// finder runs tests that should notice a mutation.
type finder interface {
	// sound fails if the finder reports a mistake where there is none.
	sound(h *hunt) error
	// by names what found the mutation in the hunt's overlay; empty if nothing did.
	by(h *hunt, m *mutation) (string, error)
}

var parts = []part{
	{"engine", "engine", oracle{}, engineMutations},
	{"drain", "engine", tests{"./engine", "./test/story"}, drainMutations},
	{"engine/ordinals", "engine", tests{"./engine"}, ordinalMutations},
	{"engine/moments", "engine", tests{"./engine"}, momentMutations},
	{"engine/ranks", "engine", tests{"./engine"}, rankMutations},
	{"engine/in-place", "engine", tests{"./engine"}, inPlaceMutations},
	{"engine/refused", "engine", tests{"./engine"}, refusedMutations},
	{"engine/growth", "engine", tests{"./engine"}, growthMutations},
	{"engine/removals", "engine", tests{"./engine"}, removalMutations},
	{"engine/additions", "engine", tests{"./engine"}, additionMutations},
	{"engine/status", "engine", tests{"./engine"}, statusMutations},
	{"engine/fields", "engine", tests{"./engine"}, fieldMutations},
	{"engine/forecast", "engine/forecast", tests{"./engine/forecast", "./test/forecast"}, forecastMutations},
	{"engine/cost", "engine", tests{"./engine", "./engine/jsontree"}, costMutations},
	{"adapters", "adapters", tests{"./adapters"}, loopMutations},
	{"adapters/kube", "adapters/kube", tests{"./adapters/kube"}, kubeMutations},
	{"adapters/kube/kinds", "adapters/kube", tests{"./adapters/kube"}, defaultsMutations},
	{"adapters/kube/monitor", "adapters/kube/monitor", tests{"./adapters/kube/monitor"}, monitorMutations},
	{"adapters/snapshot", "adapters/snapshot", tests{"./adapters/snapshot"}, snapshotMutations},
	{"adapters/verify", "adapters/verify", tests{"./adapters/verify"}, verifyMutations},
	{"server", "server", tests{"./server", "./server/access", "./server/tokens"}, serverMutations},
	{"server/codec", "server/codec", tests{"./server/codec"}, codecMutations},
	{"server/codec/cost", "server/codec", tests{"./server/codec"}, readMutations},
	{"clients/go", "clients/go", tests{"./clients/go", "./server"}, clientMutations},
	{"clients/cli", "clients/cli", tests{"./clients/cli", "./clients/cli/upgrade", "./clients/cli/why"}, commandMutations},
	{"clients/cli/compare", "clients/cli/compare", tests{"./clients/cli/compare", "./test/compare"}, compareMutations},
	{"clients/cli/convert", "clients/cli/convert", tests{"./clients/cli/convert"}, convertMutations},
	{"clients/cli/rollout", "clients/cli/rollout", tests{"./clients/cli/rollout", "./test/verdicts"}, rolloutMutations},
	{"law", "test/invariants/law", tests{"./test/invariants"}, lawMutations},
	{"vectors", ".", tests{"./test/vectors"}, vectorMutations},
}
