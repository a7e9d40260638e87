package conformance

import "fmt"

// setJSON is a set with one claim template; nothing reconciles it.
func (b *bench) setJSON(name string) string {
	return fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":%q,"namespace":%q,"annotations":{"example.com/note":"kept"}},
"spec":{"replicas":2,"serviceName":%[1]q,"minReadySeconds":7,"selector":{"matchLabels":{"app":%[1]q}},
"ordinals":{"start":1},"podManagementPolicy":"Parallel","revisionHistoryLimit":3,
"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1}},
"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Delete","whenScaled":"Retain"},
"template":{"metadata":{"labels":{"app":%[1]q}},"spec":{"containers":[{"name":"main","image":"example.com/main:1"}]}},
"volumeClaimTemplates":[{"metadata":{"name":"data"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}]}}`,
		name, b.key.Namespace)
}

// podJSON is a pod whose volume "data" is bound to a claim. Owners is a JSON list.
func (b *bench) podJSON(name, claim, owners string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":%q,"namespace":%q,"ownerReferences":%s,
"labels":{"app":"web","tier":"db","statefulset.kubernetes.io/pod-name":%[1]q,"apps.kubernetes.io/pod-index":"1","controller-revision-hash":"web-1"}},
"spec":{"containers":[{"name":"main","image":"example.com/main:1"}],
"volumes":[{"name":"data","persistentVolumeClaim":{"claimName":%[4]q}},{"name":"scratch","emptyDir":{}}]}}`,
		name, b.key.Namespace, owners, claim)
}

// sidecarsJSON is a pod of several containers, which are not in the order of their names.
func (b *bench) sidecarsJSON(name, owners string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":%q,"namespace":%q,"ownerReferences":%s,
"labels":{"app":"web","tier":"db","statefulset.kubernetes.io/pod-name":%[1]q,"apps.kubernetes.io/pod-index":"1","controller-revision-hash":"web-1"}},
"spec":{"initContainers":[{"name":"proxy","image":"example.com/proxy:1","restartPolicy":"Always","args":["--fast"]},{"name":"first","image":"example.com/first:1"}],
"containers":[{"name":"main","image":"example.com/main:1","env":[{"name":"A","value":"1"}],"resources":{"limits":{"memory":"64Mi"},"requests":{"cpu":"100m","memory":"32Mi"}}},{"name":"cache","image":"example.com/cache:1","command":["cache"]}]}}`,
		name, b.key.Namespace, owners)
}

func (b *bench) claimJSON(name, owners string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":%q,"namespace":%q,"ownerReferences":%s},
"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}`, name, b.key.Namespace, owners)
}

func (b *bench) revisionJSON(name, owners, image string) string {
	return fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":%q,"namespace":%q,"ownerReferences":%s,
"labels":{"app":"web","controller.kubernetes.io/hash":"1"}},"data":{"spec":{"template":{"image":%q}}},"revision":4}`,
		name, b.key.Namespace, owners, image)
}
