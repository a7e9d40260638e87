package scenario

import (
	_ "embed"
	"time"
)

//go:embed datastore.yaml
var datastore []byte

// Drain is a scale-down that loses no data, with kubectl's own words: three replicas to two, a drain pod on the claim that
// the third leaves behind, and the claim freed.
var Drain = Scenario{
	Intro: Life.Intro, File: "datastore.yaml", Manifest: datastore, Set: "datastore", Recount: "datastore-2",
	Steps: []Step{
		{Say: "# Three replicas, with a drain pod template in an annotation.", Command: "apply -f datastore.yaml", Show: []string{"po", "pvc"}},
		{Say: "# Scale down by one.", Command: "scale statefulset datastore --replicas 2", Show: []string{"po"},
			Until: Condition{What: Shows, Objects: "pod/datastore-2", Path: "{.metadata.deletionTimestamp}"}},
		{Until: Condition{What: Shows, Objects: "pod/datastore-2", Path: `{.metadata.annotations.setplan\.io/drain-set}`},
			Then:  "# A drain pod has taken its name, its host name and its claim.",
			Pause: 2 * time.Second, // it has an age then
			Show:  []string{"po"}},
		{Until: Condition{What: Shows, Objects: "po,pvc", Path: "{range .items[*]}{.metadata.name} {end}",
			Value: "datastore-0 datastore-1 data-datastore-0 data-datastore-1 "},
			Then: "# It has succeeded: the claim is gone, and the pod.", Show: []string{"po", "pvc"}},
	},
}
