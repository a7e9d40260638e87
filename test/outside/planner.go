package outside

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"github.com/setplan/setplan/deploy/authority"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server"
)

// planner answers by the script of the case's namespace, or else as the real planner does.
type planner struct {
	setplanv1.UnimplementedPlannerServiceServer

	ca      []byte // PEM of the authority that the adapter has to trust
	address string
	real    *server.Service
	tls     credentials.TransportCredentials

	mu      sync.Mutex
	serving *grpc.Server
	scripts map[string]script
	calls   map[string][]*call
}

// script answers the calls for the set "web" of one namespace; other sets get an empty plan. If it returns no plan, the real planner's is
// sent.
type script func(*call) (*setplanv1.Plan, error)

// call is one call of the adapter.
type call struct {
	number  int // from 1 on, since the script came into force
	request *setplanv1.PlanRequest
	honest  *setplanv1.Plan // what the real planner says; nil if it refuses
	at      time.Time
	over    bool // the call was answered
}

func newPlanner() (*planner, error) {
	signer, err := authority.New("setplan-conformance")
	if err != nil {
		return nil, err
	}
	certificate, key, err := signer.Issue(func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)} })
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, err
	}
	p := &planner{
		ca: signer.PEM(), address: "127.0.0.1:0", scripts: map[string]script{}, calls: map[string][]*call{},
		real: server.NewService(server.ServiceOptions{Log: slog.New(slog.DiscardHandler)}),
		tls:  credentials.NewTLS(&tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}),
	}
	return p, p.start()
}

// start begins to serve, at the same address after a stop.
func (p *planner) start() error {
	listener, err := net.Listen("tcp", p.address)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.address = listener.Addr().String()
	serving := grpc.NewServer(grpc.Creds(p.tls), grpc.MaxRecvMsgSize(64<<20), grpc.MaxSendMsgSize(64<<20))
	setplanv1.RegisterPlannerServiceServer(serving, p)
	p.serving = serving
	go func() { _ = serving.Serve(listener) }() // it ends with stop
	return nil
}

// stop ends all connections, and refuses new ones.
func (p *planner) stop() {
	p.mu.Lock()
	serving := p.serving
	p.serving = nil
	p.mu.Unlock()
	if serving != nil {
		serving.Stop()
	}
}

// follow puts a script in force for a namespace; nil is none. Numbers of calls begin at 1 again.
func (p *planner) follow(namespace string, s script) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.scripts[namespace], p.calls[namespace] = s, nil
}

// callsOf returns the answered calls for a namespace since the script came into force.
func (p *planner) callsOf(namespace string) (calls []*call) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.calls[namespace] {
		if c.over {
			calls = append(calls, c)
		}
	}
	return calls
}

// Plan implements PlannerServiceServer.
func (p *planner) Plan(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	at := time.Now()
	honest, refused := p.real.Plan(ctx, request)
	set := request.GetSnapshot().GetSet()
	namespace := set.GetNamespace()
	p.mu.Lock()
	if p.scripts[namespace] != nil && set.GetName() != "web" { // the neighbour of the set "web"
		p.mu.Unlock()
		none, err := nothing(&call{request: request})
		return &setplanv1.PlanResponse{Plan: none}, err
	}
	c := &call{number: len(p.calls[namespace]) + 1, request: request, honest: honest.GetPlan(), at: at}
	c.over = p.scripts[namespace] == nil
	p.calls[namespace] = append(p.calls[namespace], c)
	follow := p.scripts[namespace]
	p.mu.Unlock()
	if follow == nil {
		return honest, refused
	}
	plan, err := follow(c)
	p.mu.Lock()
	c.over = true
	p.mu.Unlock()
	switch {
	case err != nil:
		return nil, err
	case plan == nil:
		return honest, refused
	}
	return &setplanv1.PlanResponse{Plan: plan}, nil
}

// GetServerInfo implements PlannerServiceServer.
func (p *planner) GetServerInfo(ctx context.Context, request *setplanv1.GetServerInfoRequest) (*setplanv1.GetServerInfoResponse, error) {
	return p.real.GetServerInfo(ctx, request)
}

// again starts the planner if it was stopped.
func (p *planner) again() error {
	p.mu.Lock()
	serving := p.serving
	p.mu.Unlock()
	if serving != nil {
		return nil
	}
	return p.start()
}
