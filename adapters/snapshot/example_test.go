package snapshot_test

import (
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func ExampleOf() {
	set, pod := &snapshot.Set{}, &corev1.Pod{}
	for into, text := range map[any]string{
		set: `{"kind":"StatefulSet","apiVersion":"apps/v1","metadata":{"namespace":"shop","name":"web","uid":"u"},
			"spec":{"replicas":2,"template":{"spec":{"containers":[{"name":"db","cpu":1.0}]}}}}`,
		pod: `{"metadata":{"namespace":"shop","name":"web-0","labels":{"app":"web"}},"status":{"phase":"Running"}}`,
	} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			fmt.Println(err)
		}
	}
	everything := &setplanv1.Coverage{Pods: true, Claims: true, Revisions: true}
	got, err := snapshot.Of(&snapshot.Objects{Set: set, Pods: []*corev1.Pod{pod}}, everything, time.Now())
	if err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%s\n", got.GetSet().GetPodTemplate())
	for _, pod := range got.GetPods() {
		fmt.Println(pod.GetName(), got.GetTables().GetLabelSets()[pod.GetLabelSetIndex()].GetLabels())
	}
	// Output:
	// {"spec":{"containers":[{"name":"db","cpu":1.0}]}}
	// web-0 map[app:web]
}
