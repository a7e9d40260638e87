//go:build upstream

package upstream

import _ "k8s.io/kubernetes/test/integration/statefulset" // for its modules in go.mod
