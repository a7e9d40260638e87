package compare

import (
	"fmt"
	"time"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// cost is what one side spent on one run of a scenario.
type cost struct {
	wall     time.Duration // from the user's first write until every set is complete
	cpu      time.Duration // user and system, of all processes of the side, from the write until it has nothing left to do
	rss      int64         // bytes: the sum of the processes' peaks, since their start
	server   time.Duration // user and system, of the API server, for the same time: it serves all programs, but the others do the same each time
	requests testbed.Requests
	rollouts []time.Duration // per set, from the user's write until "kubectl rollout status" would return
}

func (c cost) String() string {
	return fmt.Sprintf("%.2f s, %d writes, %d reads, CPU %.2f s, of the API server %.2f s, peak %d MB", c.wall.Seconds(), c.requests.Writes(),
		c.requests.Reads(), c.cpu.Seconds(), c.server.Seconds(), c.rss>>20)
}
