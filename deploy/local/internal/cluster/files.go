package cluster

import (
	"fmt"
	"os"
	"path/filepath"
)

// The files of an instance's folder that other programs read too.
const (
	settingsFile      = "instance.json"
	pidsFile          = "pids.json"
	portFile          = "apiserver.port"
	adminKubeconfig   = "kubeconfig"
	adapterKubeconfig = "adapter.kubeconfig"
	auditLog          = "audit.log"
	logsDir           = "logs"
)

// The files that only the instance's components read.
const (
	lockFile        = "lock"
	tokensFile      = "tokens.csv"
	accountKeyFile  = "service-account.key"
	stagesFile      = "stages.yaml"
	auditPolicyFile = "audit-policy.yaml"
	etcdDir         = "etcd"
	certsDir        = "certs"
)

func (i *Instance) path(elements ...string) string {
	return filepath.Join(append([]string{i.dir}, elements...)...)
}

// Dir is the instance's folder.
func (i *Instance) Dir() string { return i.dir }

// Kubeconfig is the path of the administrator's kubeconfig.
func (i *Instance) Kubeconfig() string { return i.path(adminKubeconfig) }

// LogPath is where a component's output goes, over all its restarts.
func (i *Instance) LogPath(c Component) string { return i.path(logsDir, string(c)+".log") }

// writeFile replaces a file at once, so that no reader sees half of it. The
// files may hold tokens and keys, so they are the owner's alone.
func writeFile(path string, data []byte) error {
	tmp := path + ".tmp"
	if err := os.WriteFile(tmp, data, 0o600); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(tmp, path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
