package cluster

import (
	"strconv"
)

// args is the command line of a component.
func (i *Instance) args(c Component) []string {
	switch c {
	case Etcd:
		return i.etcdArgs()
	case APIServer:
		return i.apiserverArgs()
	case ControllerManager:
		return i.controllerManagerArgs()
	case Scheduler:
		return i.schedulerArgs()
	case StatefulSetController:
		return i.statefulSetControllerArgs()
	case Kwok:
		return i.kwokArgs()
	case Network:
		return i.networkArgs()
	case Storage:
		return i.storageArgs()
	default:
		return i.nodeArgs(c)
	}
}

func (i *Instance) etcdArgs() []string {
	client, peer := httpURL(i.Ports.EtcdClient), httpURL(i.Ports.EtcdPeer)
	return []string{
		"--name=default",
		"--data-dir=" + i.path(etcdDir),
		"--listen-client-urls=" + client,
		"--advertise-client-urls=" + client,
		"--listen-peer-urls=" + peer,
		"--initial-advertise-peer-urls=" + peer,
		"--initial-cluster=default=" + peer,
		"--unsafe-no-fsync", // the data is thrown away, waiting for the disk is not worth it
		"--log-level=warn",
	}
}

func (i *Instance) apiserverArgs() []string {
	args := []string{
		"--etcd-servers=" + httpURL(i.Ports.EtcdClient),
		"--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1",
		// A loopback address cannot be an endpoint of the service "kubernetes".
		"--endpoint-reconciler-type=none",
		"--secure-port=" + strconv.Itoa(i.Ports.APIServer),
		"--cert-dir=" + i.path(certsDir, string(APIServer)),
		"--service-cluster-ip-range=10.96.0.0/16",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + i.path(accountKeyFile),
		"--service-account-signing-key-file=" + i.path(accountKeyFile),
		"--token-auth-file=" + i.path(tokensFile),
		"--authorization-mode=RBAC",
		"--allow-privileged=true",
	}
	if i.Real {
		args = append(args, "--egress-selector-config-file="+i.path(egressFile), "--kubelet-preferred-address-types=InternalIP")
	} else {
		// Without it pods need no token volume, which nothing here would mount.
		args = append(args, "--disable-admission-plugins=ServiceAccount")
	}
	if i.Audit {
		args = append(args,
			"--audit-policy-file="+i.path(auditPolicyFile),
			"--audit-log-path="+i.path(auditLog),
			// Whoever has got an answer can count on its line in the log.
			"--audit-log-mode=blocking",
		)
	}
	return append(args, i.featureGateArgs()...)
}

func (i *Instance) controllerManagerArgs() []string {
	controllers := "*"
	if i.Builtin != BuiltinOn {
		controllers += ",-" + statefulSetController
	}
	args := append(i.clientArgs(ControllerManager),
		"--secure-port="+strconv.Itoa(i.Ports.ControllerManager),
		"--controllers="+controllers,
		"--service-account-private-key-file="+i.path(accountKeyFile),
	)
	if i.Real {
		return append(append(args, "--root-ca-file="+i.path(certsDir, string(APIServer), "apiserver.crt")), i.featureGateArgs()...)
	}
	args = append(args,
		// On a machine that is busy with tests, or while a test has stopped the
		// API server, kwok's heartbeat (stages/node.yaml) may be late.
		"--node-monitor-grace-period=5m",
	)
	return append(args, i.featureGateArgs()...)
}

func (i *Instance) statefulSetControllerArgs() []string {
	args := append(i.clientArgs(StatefulSetController),
		"--secure-port="+strconv.Itoa(i.Ports.StatefulSetController),
		"--controllers="+statefulSetController,
	)
	return append(args, i.featureGateArgs()...)
}

func (i *Instance) schedulerArgs() []string {
	return append(i.clientArgs(Scheduler), "--secure-port="+strconv.Itoa(i.Ports.Scheduler))
}

// clientArgs is what the controller managers and the scheduler have in common.
func (i *Instance) clientArgs(c Component) []string {
	kubeconfig := i.path(kubeconfigOf(c))
	return []string{
		"--kubeconfig=" + kubeconfig,
		"--authentication-kubeconfig=" + kubeconfig,
		"--authorization-kubeconfig=" + kubeconfig,
		"--bind-address=127.0.0.1",
		"--cert-dir=" + i.path(certsDir, string(c)),
		// There is one of each, and a restart must not wait for a lease to end.
		"--leader-elect=false",
		"--kube-api-qps=500",
		"--kube-api-burst=1000",
	}
}

func (i *Instance) kwokArgs() []string {
	return []string{
		"--kubeconfig=" + i.path(kubeconfigOf(Kwok)),
		"--config=" + i.path(stagesFile),
		"--manage-all-nodes=true",
		"--server-address=" + loopback(i.Ports.Kwok),
		// Addresses of pods are given out again only within this range.
		"--cidr=10.128.0.0/9",
		"--node-ip=10.127.0.1",
	}
}

func (i *Instance) featureGateArgs() []string {
	if i.FeatureGates == "" {
		return nil
	}
	return []string{"--feature-gates=" + i.FeatureGates}
}
