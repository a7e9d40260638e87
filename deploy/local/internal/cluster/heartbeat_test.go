package cluster

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestHeartbeatKeepsNodesReady: three heartbeats may be lost before the controller manager gives a node up and makes its pods unready,
// which nothing reverts.
func TestHeartbeatKeepsNodesReady(t *testing.T) {
	node, err := stageFiles.ReadFile("stages/node.yaml")
	if err != nil {
		t.Fatal(err)
	}
	longest := regexp.MustCompile(`jitterDurationMilliseconds: (\d+)`).FindSubmatch(node)
	grace := regexp.MustCompile(`--node-monitor-grace-period=(\w+)`).
		FindStringSubmatch(strings.Join(testInstance(t).args(ControllerManager), " "))
	if longest == nil || grace == nil {
		t.Fatalf("no heartbeat in the stages (%q) or no grace period in the arguments (%q)", longest, grace)
	}
	between, err := time.ParseDuration(string(longest[1]) + "ms")
	if err != nil {
		t.Fatal(err)
	}
	patience, err := time.ParseDuration(grace[1])
	if err != nil {
		t.Fatal(err)
	}
	if 4*between > patience {
		t.Errorf("heartbeats come every %s, and a node is given up after %s", between, patience)
	}
}
