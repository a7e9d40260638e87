package cluster

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
)

// Ports are the loopback ports of an instance.
type Ports struct {
	EtcdClient        int `json:"etcdClient"`
	EtcdPeer          int `json:"etcdPeer"`
	APIServer         int `json:"apiserver"`
	ControllerManager int `json:"controllerManager"`
	Scheduler         int `json:"scheduler"`
	Kwok              int `json:"kwok"`
	// StatefulSetController is kept free for a controller that runs alone.
	StatefulSetController int `json:"statefulSetController"`
}

// The ports are taken from below the range that kernels give to outgoing
// connections: one of those must not hold the API server's port while the API
// server is down for a restart.
const (
	firstPort = 20000
	lastPort  = 32000
)

func (p *Ports) all() []*int {
	return []*int{&p.EtcdClient, &p.EtcdPeer, &p.APIServer, &p.ControllerManager, &p.Scheduler, &p.Kwok, &p.StatefulSetController}
}

// pickPorts chooses free ports that none of the others has, running or not.
func pickPorts(others []Ports) (Ports, error) {
	taken := map[int]bool{}
	for _, other := range others {
		for _, port := range other.all() {
			taken[*port] = true
		}
	}
	const span = lastPort - firstPort
	next, tried := rand.IntN(span), 0
	var picked Ports
	for _, port := range picked.all() {
		for ; *port == 0; tried++ {
			if tried == span {
				return Ports{}, errors.New("no free loopback ports")
			}
			candidate := firstPort + (next+tried)%span
			if !taken[candidate] && free(candidate) {
				*port = candidate
			}
		}
	}
	return picked, nil
}

func free(port int) bool {
	l, err := net.Listen("tcp", loopback(port))
	if err != nil {
		return false
	}
	return l.Close() == nil
}

func loopback(port int) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}

func httpURL(port int) string  { return fmt.Sprintf("http://%s", loopback(port)) }
func httpsURL(port int) string { return fmt.Sprintf("https://%s", loopback(port)) }
