package walls

import (
	"strings"
	"testing"
)

// Each wall is shown to fail: a wall that cannot is no wall.

func TestPlantedImports(t *testing.T) {
	const grpc = "google.golang.org/grpc"
	for reason, test := range map[string]struct {
		planted listed
		breach  bool
	}{
		"engine imports a library":               {listed{ImportPath: module + "/engine", Deps: []string{"golang.org/x/exp/maps"}}, true},
		"engine imports the contract":            {listed{ImportPath: module + "/engine/jsontree", Deps: []string{module + "/proto/setplan/v1"}}, true},
		"engine imports os":                      {listed{ImportPath: module + "/engine", Imports: []string{"os"}}, true},
		"engine imports net/http":                {listed{ImportPath: module + "/engine", Imports: []string{"net/http"}}, true},
		"engine imports log/slog":                {listed{ImportPath: module + "/engine", Imports: []string{"log/slog"}}, true},
		"engine imports context":                 {listed{ImportPath: module + "/engine", Imports: []string{"context"}}, true},
		"engine imports math/rand/v2":            {listed{ImportPath: module + "/engine", Imports: []string{"math/rand/v2"}}, true},
		"engine imports crypto/rand":             {listed{ImportPath: module + "/engine", Imports: []string{"crypto/rand"}}, true},
		"engine imports fmt, and fmt imports os": {listed{ImportPath: module + "/engine", Imports: []string{"fmt"}, Deps: []string{"fmt", "os"}}, false},
		"engine imports a package of its own":    {listed{ImportPath: module + "/engine", Deps: []string{module + "/engine/jsontree"}}, false},
		"codec imports grpc":                     {listed{ImportPath: module + "/server/codec", Imports: []string{grpc + "/status"}}, true},
		"codec imports Kubernetes":               {listed{ImportPath: module + "/server/codec", Deps: []string{"k8s.io/api/core/v1"}}, true},
		"codec imports the engine":               {listed{ImportPath: module + "/server/codec", Deps: []string{module + "/engine"}}, false},
		"server imports Kubernetes":              {listed{ImportPath: module + "/server", Deps: []string{"sigs.k8s.io/yaml"}}, true},
		"server imports an adapter":              {listed{ImportPath: module + "/server/cmd/setplan-server", Name: "main", Deps: []string{module + "/adapters"}}, true},
		"server imports grpc":                    {listed{ImportPath: module + "/server", Deps: []string{grpc}}, false},
		"client imports the engine":              {listed{ImportPath: module + "/clients/go", Deps: []string{module + "/engine"}}, true},
		"client imports the server":              {listed{ImportPath: module + "/clients/go", Deps: []string{module + "/server/codec"}}, true},
		"client imports Kubernetes":              {listed{ImportPath: module + "/clients/go", Deps: []string{"k8s.io/client-go/rest"}}, true},
		"adapter imports the engine":             {listed{ImportPath: module + "/adapters/kube", Name: "kube", Deps: []string{module + "/engine"}}, true},
		"adapter imports the server":             {listed{ImportPath: module + "/adapters", Name: "adapters", Deps: []string{module + "/server"}}, true},
		"a main wires both":                      {listed{ImportPath: module + "/adapters/kube/cmd/x", Name: "main", Deps: []string{module + "/engine"}}, false},
		"the checks import Kubernetes":           {listed{ImportPath: module + "/adapters/verify", Deps: []string{"k8s.io/apimachinery/pkg/labels"}}, true},
		"the builder imports a client":           {listed{ImportPath: module + "/adapters/snapshot", Deps: []string{"k8s.io/client-go/tools/cache"}}, true},
		"the builder imports an adapter":         {listed{ImportPath: module + "/adapters/snapshot", Deps: []string{module + "/adapters/kube"}}, true},
		"the builder imports Kubernetes' types":  {listed{ImportPath: module + "/adapters/snapshot", Deps: []string{"k8s.io/api/core/v1"}}, false},
		"contract imports the engine":            {listed{ImportPath: module + "/proto/setplan/v1", Deps: []string{module + "/engine"}}, true},
		"anything imports k8s.io/kubernetes":     {listed{ImportPath: module + "/test/sim", Deps: []string{"k8s.io/kubernetes/pkg/apis/apps"}}, true},
		"a name that only begins alike":          {listed{ImportPath: module + "/adapters/kube", Deps: []string{module + "/enginery"}}, false},
	} {
		got := breaches(walls, []listed{test.planted})
		if (len(got) > 0) != test.breach {
			t.Errorf("%s: breaches %q, want one: %v", reason, got, test.breach)
		}
	}
}

func TestBreachSaysWhy(t *testing.T) {
	planted := listed{ImportPath: module + "/clients/go", Deps: []string{module + "/engine"}}
	for _, b := range breaches(walls, []listed{planted}) {
		if !strings.Contains(b, "other people's programs") {
			t.Errorf("%q does not say why", b)
		}
	}
}

func TestPlantedClocks(t *testing.T) {
	for reason, test := range map[string]struct {
		source string
		found  int
	}{
		"now":            {`package p; import "time"; var t = time.Now()`, 1},
		"as a value":     {`package p; import "time"; var clock = time.Now`, 1},
		"renamed":        {`package p; import clock "time"; var t = clock.Since(clock.Time{})`, 1},
		"dot import":     {`package p; import . "time"; var t = Now()`, 1},
		"timers":         {`package p; import "time"; func f() { time.Sleep(1); <-time.After(1); time.NewTimer(1) }`, 3},
		"a duration":     {`package p; import "time"; const d = time.Second`, 0},
		"another Now":    {`package p; import "example.com/clock"; var t = clock.Now()`, 0},
		"a field of its": {`package p; type s struct{ Now int }; func f(time s) int { return time.Now }`, 0},
	} {
		got, err := clockUses("planted.go", test.source)
		if err != nil || len(got) != test.found {
			t.Errorf("%s: %q, %v, want %d findings", reason, got, err, test.found)
		}
	}
}
