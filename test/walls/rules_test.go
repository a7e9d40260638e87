package walls

// module is the import path of the root module.
const module = "github.com/setplan/setplan"

// wall is one rule about imports. Patterns are import paths; one that ends in "/..." also matches everything below.
type wall struct {
	around []string // the packages that the wall is around
	except []string // packages among them that it is not around; mains are an exception where mains is set
	mains  bool

	only     []string // beside the standard library, nothing else may be imported, however indirectly; empty: no such rule
	never    []string // must not be imported, however indirectly
	noDirect []string // must not be imported by the package itself; for the standard library, which imports itself freely

	why string
}

// Everything of Kubernetes.
var kubernetes = []string{"k8s.io/...", "sigs.k8s.io/..."}

var walls = []wall{
	{
		around: []string{module + "/engine/..."},
		only:   []string{module + "/engine/..."},
		noDirect: []string{"os/...", "net/...", "log/...", "context", "math/rand/...", "crypto/rand", "syscall/...", "embed",
			"plugin", "unsafe"},
		why: "the engine is a pure function of the snapshot: no clock, network, environment, randomness or log, so that the " +
			"same snapshot gives the same plan everywhere, and tests need no cluster",
	},
	{
		around: []string{module + "/server/codec/..."},
		never:  append([]string{module + "/adapters/...", module + "/clients/..."}, kubernetes...),
		// Directly only: the generated package holds the service's stubs beside the messages.
		noDirect: []string{"google.golang.org/grpc/..."},
		why:      "the codec is what an embedded planner and tests use without a network; it knows the contract and the engine only",
	},
	{
		around:   []string{module + "/server/objects/..."},
		never:    append([]string{module + "/engine", module + "/engine/forecast/...", module + "/server/codec/...", module + "/adapters/...", module + "/clients/..."}, kubernetes...),
		noDirect: []string{"google.golang.org/grpc/..."},
		why:      "objects to snapshot, as JSON: the contract and nothing that decides; engine/jsontree holds values alone. adapters/snapshot says the same with Kubernetes' types, and a test compares the two",
	},
	{
		around: []string{module + "/server/..."},
		never:  append([]string{module + "/adapters/...", module + "/clients/..."}, kubernetes...),
		why: "the server never talks to a cluster: template bytes must not pass through typed Kubernetes structs, and a bump " +
			"of a Kubernetes library must not change a plan",
	},
	{
		around: []string{module + "/clients/go/..."},
		never:  append([]string{module + "/engine/...", module + "/server/...", module + "/adapters/..."}, kubernetes...),
		why:    "the client is a library in other people's programs: the contract and gRPC, nothing else to download or to trust",
	},
	{
		around: []string{module + "/clients/plannerflags/..."},
		never:  append([]string{module + "/engine/...", module + "/server/...", module + "/adapters/..."}, kubernetes...),
		why:    "the flags of a planner's address belong to every program that asks one, whatever else it is",
	},
	{
		around: []string{module + "/clients/cli/..."},
		never:  []string{module + "/engine", module + "/engine/forecast/...", module + "/server/..."},
		why: "the command line shows what a planner says and never decides: what it shows must be what the planner of the " +
			"cluster would do. Its main brings the planner in the same process. engine/differ tells two revisions apart, in a sentence that forecasts have, too",
	},
	{
		around: []string{module + "/adapters/..."},
		mains:  true,
		never:  []string{module + "/engine/...", module + "/server/..."},
		why: "an adapter does and never decides: it sees a Planner interface, so that remote and embedded planners are the " +
			"same to it, and adapters.Replan sees one of each. Mains bring them in, with server.NewService",
	},
	{
		around: []string{module + "/adapters/verify/..."},
		never: append([]string{module + "/engine/...", module + "/server/...", module + "/clients/...",
			module + "/adapters/kube/..."}, kubernetes...),
		why: "the checks of a plan are the contract and JSON, so that they can be ported to any language as they stand; and what " +
			"verifies a planner shares no code with it",
	},
	{
		around: []string{module + "/adapters/snapshot"},
		never: []string{module + "/engine/...", module + "/server/...", module + "/clients/...", module + "/adapters", module + "/adapters/kube/...",
			module + "/adapters/verify/...", "k8s.io/client-go/..."},
		why: "objects to snapshot is for every program that has Kubernetes objects, wherever it has them from: the types of the API " +
			"and the contract, no client and no adapter",
	},
	{
		around: []string{module + "/test/invariants/law"},
		only:   []string{module + "/test/invariants/law"},
		why:    "what judges shares nothing with what is judged, nor with one of the histories that it is asked about",
	},
	{
		around: []string{module + "/proto/..."},
		never: append([]string{module + "/engine/...", module + "/server/...", module + "/adapters/...",
			module + "/clients/..."}, kubernetes...),
		why: "the contract depends on nothing of ours: everything depends on it",
	},
	{
		around: []string{module + "/..."},
		never:  []string{"k8s.io/kubernetes/..."},
		why: "k8s.io/kubernetes is no library: it pins dozens of modules for everybody who imports ours. The conformance " +
			"tests that need it are a module of their own",
	},
}

// clocks are the functions of package time that the engine must not use, and what to use in their place.
var clocks = map[string]string{
	"Now":       "the time is Snapshot.ObservedAt",
	"Since":     "subtract from Snapshot.ObservedAt",
	"Until":     "subtract Snapshot.ObservedAt",
	"Sleep":     "a plan says when to ask again: Plan.RequeueAfter",
	"After":     "a plan says when to ask again: Plan.RequeueAfter",
	"AfterFunc": "a plan says when to ask again: Plan.RequeueAfter",
	"Tick":      "a plan says when to ask again: Plan.RequeueAfter",
	"NewTimer":  "a plan says when to ask again: Plan.RequeueAfter",
	"NewTicker": "a plan says when to ask again: Plan.RequeueAfter",
	"Local":     "the zone of the machine must not show in a plan; use UTC",
}
