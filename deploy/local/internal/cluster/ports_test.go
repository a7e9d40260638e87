package cluster

import (
	"net"
	"testing"
)

func TestPickPortsAreFreeAndDistinct(t *testing.T) {
	picked, err := pickPorts(nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, port := range picked.all() {
		if *port < firstPort || *port >= lastPort || seen[*port] || !free(*port) {
			t.Errorf("port %d of %+v is out of range, picked twice or in use", *port, picked)
		}
		seen[*port] = true
	}
}

// A stopped API server's port looks free, but must stay reserved.
func TestPickPortsSkipsTheOthers(t *testing.T) {
	var others []Ports
	for range 200 {
		picked, err := pickPorts(others)
		if err != nil {
			t.Fatal(err)
		}
		others = append(others, picked)
	}
	seen := map[int]bool{}
	for _, o := range others {
		for _, port := range o.all() {
			if seen[*port] {
				t.Fatalf("port %d was picked twice", *port)
			}
			seen[*port] = true
		}
	}
}

func TestFreeSeesAListener(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if port := l.Addr().(*net.TCPAddr).Port; free(port) {
		t.Errorf("port %d is in use, but counts as free", port)
	}
}

func TestPickPortsGivesUp(t *testing.T) {
	var others []Ports
	for port := firstPort; port < lastPort; port++ {
		others = append(others, Ports{EtcdClient: port})
	}
	if picked, err := pickPorts(others); err == nil {
		t.Errorf("picked %+v where every port is reserved", picked)
	}
}
