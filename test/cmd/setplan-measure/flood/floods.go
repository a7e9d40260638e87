package flood

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/cmd/internal/testbed"
	"github.com/setplan/setplan/test/hostile"
)

const (
	quiet  = 3 * time.Second // how long the honest caller asks without a flood
	beside = 10 * time.Second
	rising = 2 * time.Second // how long a flood goes on before it is measured
)

// floods are the ways to harm others. Each starts at once and goes on until the process ends. said describes what it did.
var floods = map[string]func(address, worst string) (said func() string, err error){
	"calls":       floodCalls,
	"small-calls": floodCalls,
	"large-calls": floodCalls,
	"unfinished":  floodUnfinished,
	"unread":      floodUnread,
	"silent":      floodSilent,
	"slow":        floodSlow,
	"resets":      floodResets,
	"headers":     floodHeaders,
	"vain":        floodVain,

	"cancelled-forecasts":   floodForecasts(8, "starts", 2*time.Second),
	"growing-forecasts":     floodForecasts(8, "grow-fewer", 0),
	"noted-forecasts":       floodForecasts(8, "state-text", 0),
	"long-forecasts":        floodForecasts(8, "forecasts", 0),
	"pessimistic-forecasts": floodForecasts(8, "orders", 0),
	"unread-forecasts":      floodUnreadForecasts,
}

// sizes are the sizes of request that a flood of calls may choose, in bytes.
var sizes = map[string]struct{ least, most int }{"small-calls": {0, 64 << 10}, "calls": {64 << 10, 4 << 20}, "large-calls": {4 << 20, math.MaxInt}}

// measure asks without the flood and beside it, and ends the server during it.
func measure(program, name string) (m measured, err error) {
	worst := ""
	if of, calls := sizes[name]; calls {
		if worst, err = worstCase(program, of.least, of.most); err != nil {
			return m, err
		}
	}
	p, folder, err := launch(program, name)
	defer os.RemoveAll(folder)
	if err != nil {
		return m, err
	}
	defer p.Kill() // for an error before its end
	who, err := identity(folder, honest)
	if err != nil {
		return m, err
	}
	if _, err = ask(p, who, time.Second); err != nil { // to warm up
		return m, err
	}
	if m.quiet, m.quietHealthz, err = watched(p, who, quiet); err != nil {
		return m, err
	}
	end, err := begin(strings.TrimPrefix(name, identified), p.Address, worst, folder)
	if err != nil {
		return m, err
	}
	time.Sleep(rising)
	m.beside, m.healthz, err = watched(p, who, beside)
	memory, errMemory := p.Memory()
	m.memory = memory
	// The server is told to end while the flood goes on.
	m.sigterm, err = joined(p, errors.Join(err, errMemory))
	m.said = end()
	return m, err
}

// watched asks, and probes /healthz meanwhile.
func watched(p *testbed.Server, who *tls.Config, howLong time.Duration) (out latencies, healthz time.Duration, err error) {
	end, slowest := make(chan struct{}), make(chan time.Duration)
	go func() { slowest <- probe(p, end) }()
	out, err = ask(p, who, howLong)
	close(end)
	return out, <-slowest, err
}

func joined(p *testbed.Server, err error) (time.Duration, error) {
	took, errEnd := p.End()
	return took, errors.Join(err, errEnd)
}

// ChildArgument is the first argument of a process that floods.
const ChildArgument = "one-flood"

// begin runs a flood in a separate process with the lowest priority for the processors: real floods come from other machines.
func begin(name, address, worst, folder string) (end func() (said string), err error) {
	return testbed.Child(ChildArgument, name, address, worst, folder)
}

// shown is what a flood shows of itself; nil: nothing.
var shown *tls.Config

// security is that of a connection.
func security(of *tls.Config) credentials.TransportCredentials {
	if of == nil {
		return insecure.NewCredentials()
	}
	return credentials.NewTLS(of)
}

// Child floods until its input ends.
func Child(arguments []string) (exit int) {
	err := syscall.Setpriority(syscall.PRIO_PROCESS, 0, 10)
	var said func() string
	if err == nil {
		shown, err = identity(arguments[3], flooding)
	}
	if err == nil {
		said, err = floods[arguments[0]](arguments[1], arguments[2])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, arguments[0], err)
		return 1
	}
	_, _ = os.Stdin.Read(make([]byte, 1))
	fmt.Print(said())
	return 0
}

// encodedOnce sends encoded requests as they are: the flood should cost the server, not itself.
type encodedOnce struct{}

func (encodedOnce) Marshal(v any) ([]byte, error)   { return v.([]byte), nil }
func (encodedOnce) Unmarshal(_ []byte, _ any) error { return nil }
func (encodedOnce) Name() string                    { return "proto" }

func dialBytes(address string) (*grpc.ClientConn, error) {
	return grpc.NewClient(address, grpc.WithTransportCredentials(security(shown)), grpc.WithDisableRetry(),
		grpc.WithDefaultCallOptions(grpc.ForceCodec(encodedOnce{}), grpc.MaxCallRecvMsgSize(64<<20)))
}

func plan(ctx context.Context, connection *grpc.ClientConn, request []byte) error {
	return connection.Invoke(ctx, setplanv1.PlannerService_Plan_FullMethodName, request, new([]byte))
}

// worstCase names the request of a size between both bounds that a server works longest on without refusing it.
func worstCase(program string, least, largest int) (worst string, err error) {
	p, err := testbed.LaunchServer(program, "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _, err = joined(p, err) }()
	connection, err := dialBytes(p.Address)
	if err != nil {
		return "", err
	}
	defer func() { _ = connection.Close() }()
	var most time.Duration
	for _, c := range hostile.Cases() {
		request, err := proto.Marshal(c.Build())
		if err != nil {
			return "", err
		}
		if len(request) < least || len(request) > largest {
			continue
		}
		before, _ := p.CPU()
		err = plan(context.Background(), connection, request)
		after, _ := p.CPU()
		if status.Code(err) == codes.Unavailable {
			return "", fmt.Errorf("%s: %w", c.Name, err)
		}
		if err == nil && after-before > most {
			most, worst = after-before, c.Name
		}
	}
	fmt.Printf("       %q takes longest: %.2f s\n", worst, most.Seconds())
	return worst, nil
}

// floodCalls keeps 500 of the worst requests under way, over five connections.
func floodCalls(address, worst string) (func() string, error) {
	const connections, calls = 5, 100
	var request []byte
	for _, c := range hostile.Cases() {
		if c.Name == worst {
			request, _ = proto.Marshal(c.Build())
		}
	}
	var answered, shed, other atomic.Int64
	for range connections {
		connection, err := dialBytes(address)
		if err != nil {
			return nil, err
		}
		for range calls {
			go func() {
				for {
					switch status.Code(plan(context.Background(), connection, request)) {
					case codes.OK:
						answered.Add(1)
					case codes.ResourceExhausted:
						shed.Add(1)
						time.Sleep(time.Second) // as RetryInfo says
					default:
						other.Add(1)
						time.Sleep(time.Second)
					}
				}
			}()
		}
	}
	return func() string {
		return fmt.Sprintf("%d calls of %d bytes: %d answered, %d shed, %d ended otherwise", connections*calls, len(request),
			answered.Load(), shed.Load(), other.Load())
	}, nil
}
