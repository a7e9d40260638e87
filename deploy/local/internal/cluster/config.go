package cluster

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
)

// stageFiles tell kwok how nodes, pods and volumes behave.
//
//go:embed stages/*.yaml
var stageFiles embed.FS

// auditPolicy logs every request once, when it is answered. Watches and other
// requests that never end are answered when they begin.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
`

// stages joins the stage files to the one file that kwok reads.
func stages() ([]byte, error) {
	names, err := fs.Glob(stageFiles, "stages/*.yaml")
	if err != nil {
		return nil, fmt.Errorf("list stages: %w", err)
	}
	var documents [][]byte
	for _, name := range names {
		data, err := stageFiles.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read stages: %w", err)
		}
		documents = append(documents, data)
	}
	return bytes.Join(documents, []byte("---\n")), nil
}
