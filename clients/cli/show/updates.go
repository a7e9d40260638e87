package show

import (
	"fmt"
	"slices"
	"strings"

	"github.com/setplan/setplan/clients/cli/printable"
	"github.com/setplan/setplan/engine/differ"
	"github.com/setplan/setplan/engine/jsontree"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// mostUpdates is how many revisions that pods are updated from are shown.
const mostUpdates = 3

// Updates says of the revisions that pods are updated from what differs from the one that they are updated to: a line each, in the order of the pods. The
// pods may be waiting for that.
func Updates(snapshot *setplanv1.Snapshot, plan *setplanv1.Plan) (lines []string) {
	data := map[string][]byte{}
	for _, revision := range snapshot.GetRevisions() {
		data[revision.GetName()] = revision.GetData()
	}
	to := snapshot.GetSet().GetStatus().GetUpdateRevision()
	for _, stage := range plan.GetStages() {
		for _, step := range stage.GetSteps() {
			for _, action := range step.GetActions() {
				name := action.GetTarget().GetName()
				if made := action.GetCreateRevision(); made != nil {
					to, data[name] = name, dataOf(made.GetManifest())
				} else if action.GetRenumberRevision() != nil {
					to = name
				}
			}
		}
	}
	names := snapshot.GetTables().GetRevisionNames()
	var told []string
	for _, pod := range snapshot.GetPods() {
		index := int(pod.GetRevisionNameIndex())
		if index >= len(names) || len(told) == mostUpdates {
			continue
		}
		from := names[index]
		if from == "" || from == to || data[from] == nil || data[to] == nil || slices.Contains(told, from) {
			continue
		}
		told = append(told, from)
		if text := differ.Sentence(data[from], data[to]); text != "" {
			lines = append(lines, printable.Line(from+" -> "+to+". "+text))
		}
	}
	return lines
}

// dataOf is the data in the manifest of a revision.
func dataOf(manifest []byte) []byte {
	revision, err := jsontree.Parse(manifest)
	if err != nil {
		return nil
	}
	return jsontree.Append(nil, revision.Get("data"))
}

func updatesText(b *strings.Builder, style Style, updates []string) {
	for _, update := range updates {
		fmt.Fprintln(b, style.Paint(Bold, "update")+" "+update)
	}
}
