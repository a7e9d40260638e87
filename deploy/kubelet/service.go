//go:build linux

package kubelet

import (
	"net"
	"strconv"
)

// Service passes the connections that come to a listener on to a port of the pods with a label, in turn, as a service does. It ends when the
// listener is closed. Pods reach it if its address is in Forward.
func (k *Kubelet) Service(listener net.Listener, label, value string, port int32) {
	for turn := 0; ; turn++ {
		from, err := listener.Accept()
		if err != nil {
			return // it was closed
		}
		var behind []*Pod
		for _, p := range k.Pods() {
			if p.pod.Labels[label] == value {
				behind = append(behind, p)
			}
		}
		if len(behind) == 0 {
			_ = from.Close()
			continue
		}
		go func() {
			defer from.Close()
			to, err := behind[turn%len(behind)].network.dial(net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port))))
			if err != nil {
				return // the caller sees that nobody answers
			}
			pipe(from, to)
		}()
	}
}
