package vectors

import (
	"context"
	"errors"
	"log/slog"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	files "github.com/setplan/setplan/proto/vectors"
	"github.com/setplan/setplan/server"
)

// planners are servers on sockets, one for each choice of limits.
type planners struct {
	running map[files.Limits]*grpc.ClientConn
	closers []func() error
}

func newPlanners() *planners { return &planners{running: map[files.Limits]*grpc.ClientConn{}} }

func (p *planners) close() error {
	var all []error
	for _, end := range p.closers {
		all = append(all, end())
	}
	return errors.Join(all...)
}

// to starts a server where there is none with these limits.
func (p *planners) to(limits *files.Limits) (*grpc.ClientConn, error) {
	if limits == nil {
		limits = &files.Limits{}
	}
	if connection := p.running[*limits]; connection != nil {
		return connection, nil
	}
	s, err := server.New(server.Config{ListenAddress: "127.0.0.1:0", Log: slog.New(slog.DiscardHandler),
		Limits: server.Limits{MaxPods: int(limits.MaxPods), MaxMessageBytes: int(limits.MaxMessageBytes)}})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	connection, err := grpc.NewClient(s.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		cancel()
		return nil, errors.Join(err, <-ended)
	}
	p.closers = append(p.closers, func() error {
		failed := connection.Close()
		cancel()
		return errors.Join(failed, <-ended)
	})
	p.running[*limits] = connection
	return connection, nil
}

// answer asks for the plan of a draft, and makes it a vector.
func (p *planners) answer(ctx context.Context, d *draft) (*files.Vector, error) {
	v := d.Vector
	if d.request != nil {
		text, err := files.JSON(d.request)
		if err != nil {
			return nil, err
		}
		v.Request = text
	}
	sent, err := v.Bytes()
	if err != nil {
		return nil, err
	}
	connection, err := p.to(v.Limits)
	if err != nil {
		return nil, err
	}
	var got []byte
	if err := connection.Invoke(ctx, setplanv1.PlannerService_Plan_FullMethodName, sent, &got, grpc.ForceCodec(asBytes{})); err != nil {
		v.Error = files.ErrorOf(err)
		return &v, nil
	}
	response := &setplanv1.PlanResponse{}
	if err := proto.Unmarshal(got, response); err != nil {
		return nil, err
	}
	v.Plan, err = files.JSON(response.GetPlan())
	return &v, err
}

// asBytes sends and takes messages as bytes: some of what vectors hold no library would send.
type asBytes struct{}

func (asBytes) Name() string                  { return "proto" }
func (asBytes) Marshal(v any) ([]byte, error) { return v.([]byte), nil }
func (asBytes) Unmarshal(data []byte, v any) error {
	*v.(*[]byte) = append([]byte(nil), data...)
	return nil
}
