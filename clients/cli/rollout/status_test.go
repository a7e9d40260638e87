package rollout

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	set := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &set.Object); err != nil {
		t.Fatal(err)
	}
	return set
}

// TestStatus has the rows that kubectl cannot be asked about, because an API server fills the fields in for apps/v1. test/verdicts
// compares the others with kubectl's own code.
func TestStatus(t *testing.T) {
	const done, waits = true, false
	tests := map[string]struct {
		set  string
		text string
		done bool
	}{
		"nothing but a template is rolled out":          {`{spec: {}, metadata: {generation: 1}, status: {observedGeneration: 1, readyReplicas: 1, updatedReplicas: 1}}`, "partitioned roll out complete: 1 new pods have been updated...\n", done},
		"one pod is wanted where no number is said":     {`{spec: {}, metadata: {generation: 1}, status: {observedGeneration: 1}}`, "Waiting for 1 pods to be ready...\n", waits},
		"no partition is partition 0":                   {`{spec: {replicas: 3, updateStrategy: {rollingUpdate: {}}}, metadata: {generation: 1}, status: {observedGeneration: 1, readyReplicas: 3, updatedReplicas: 2}}`, "Waiting for partitioned roll out to finish: 2 out of 3 new pods have been updated...\n", waits},
		"fields that nobody knows do not matter":        {`{spec: {replicas: 0, shape: [1], template: {spec: {odd: {}}}}, metadata: {generation: 1}, status: {observedGeneration: 1, mood: good}}`, "partitioned roll out complete: 0 new pods have been updated...\n", done},
		"a status of nobody is of the spec before any":  {`{spec: {replicas: 0}, metadata: {generation: 1}}`, "Waiting for statefulset spec update to be observed...\n", waits},
		"all at once, and some are missing":             {`{spec: {replicas: 2, updateStrategy: {type: Recreate}}, metadata: {generation: 1}, status: {observedGeneration: 1}}`, "Waiting for 2 pods to be ready...\n", waits},
		"all at once, rolled back midway":               {`{spec: {replicas: 1, updateStrategy: {type: Recreate}}, metadata: {generation: 1}, status: {observedGeneration: 1, readyReplicas: 1, currentRevision: a, updateRevision: a}}`, "waiting for statefulset rolling update to complete 0 pods at revision a...\n", waits},
		"all at once, and over":                         {`{spec: {replicas: 1, updateStrategy: {type: Recreate}}, metadata: {generation: 1}, status: {observedGeneration: 1, readyReplicas: 1, currentReplicas: 1, updatedReplicas: 1, currentRevision: a, updateRevision: a}}`, "statefulset rolling update complete 1 pods at revision a...\n", done},
		"a type and no rollingUpdate: revisions decide": {`{spec: {replicas: 1, updateStrategy: {type: RollingUpdate}}, metadata: {generation: 1}, status: {observedGeneration: 1, readyReplicas: 1, updatedReplicas: 0, currentRevision: a, updateRevision: b}}`, "waiting for statefulset rolling update to complete 0 pods at revision b...\n", waits},
	}
	for reason, test := range tests {
		text, finished, err := Status(object(t, test.set))
		if err != nil || text != test.text || finished != test.done {
			t.Errorf("%s: %q, %v, %v", reason, text, finished, err)
		}
	}
	for _, text := range []string{`{spec: {updateStrategy: {type: OnDelete}}}`, `{spec: {replicas: many}}`} {
		if said, _, err := Status(object(t, text)); err == nil {
			t.Errorf("%s: %q", text, said)
		}
	}
}
