package server

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// callLogger writes one line per call when it ends, unless there are too many. It never sees the payload, only the fields
// that this file picks.
//
// It uses go-grpc-middleware's reporting and its names of fields, but not its logging interceptor. That one collects the fields of
// each line before it is known whether the line will be written, and searches the list for each field: a hundred allocations a call.
func callLogger(log *slog.Logger) grpc.UnaryServerInterceptor {
	budgets := newCallBudgets(log)
	return interceptors.UnaryServerInterceptor(interceptors.CommonReportableFunc(
		func(ctx context.Context, meta interceptors.CallMeta) (interceptors.Reporter, context.Context) {
			return &line{log: log, budgets: &budgets, ctx: ctx, method: meta.Method}, ctx
		}))
}

// line is what the log will say of a call.
type line struct {
	interceptors.NoopReporter
	log     *slog.Logger
	budgets *callBudgets
	ctx     context.Context
	method  string
}

// PostCall implements interceptors.Reporter.
func (l *line) PostCall(err error, took time.Duration) {
	code := status.Code(err)
	if !l.budgets.of(code).spend() {
		return
	}
	call := callOf(l.ctx)
	fields := make([]slog.Attr, 0, 16)
	add := func(name, value string) { fields = append(fields, slog.String(name, value)) }
	add("request_id", call.id)
	// Without a checked certificate or token there is only the caller's address.
	if identity := cmp.Or(call.account, identityOf(l.ctx)); identity != "" {
		add("caller", identity)
	}
	if call.cluster != nil {
		add("cluster", call.cluster.Name)
	}
	add("grpc.method", l.method)
	if p, ok := peer.FromContext(l.ctx); ok {
		add("peer.address", p.Addr.String())
	}
	add("grpc.start_time", time.Now().Add(-took).Format(time.RFC3339))
	if deadline, ok := l.ctx.Deadline(); ok {
		add("grpc.request.deadline", deadline.Format(time.RFC3339))
	}
	fields = call.summary.fields(fields)
	add("grpc.code", code.String())
	if err != nil {
		add("grpc.error", err.Error())
	}
	fields = append(fields, slog.Duration("grpc.duration", took))
	l.log.LogAttrs(l.ctx, levelOf(code), "finished call", fields...)
}

// levelOf: an error is for the operator of this server, a warning for the caller.
func levelOf(code codes.Code) slog.Level {
	switch code {
	case codes.OK, codes.Canceled, codes.DeadlineExceeded, codes.Unavailable:
		return slog.LevelInfo
	case codes.InvalidArgument, codes.FailedPrecondition, codes.ResourceExhausted:
		return slog.LevelWarn
	}
	return slog.LevelError
}

// maxLoggedName bounds names in the log; Kubernetes allows 253 bytes, a malformed request may bring megabytes.
const maxLoggedName = 253

// summary is what the log says of a call's request and plan. It keeps the names, which are bounded already, because the request may
// be consumed by then.
type summary struct {
	asked, planned      bool
	namespace, set, uid string
	pods                int
	actions, blocks     int
	converged           bool
}

func (s *summary) request(request *setplanv1.PlanRequest) {
	set := request.GetSnapshot().GetSet()
	s.asked = true
	s.namespace, s.set, s.uid = bounded(set.GetNamespace()), bounded(set.GetName()), bounded(set.GetUid())
	s.pods = len(request.GetSnapshot().GetPods())
	if objects := request.GetObjects(); objects != nil {
		s.namespace, s.set = bounded(objects.GetNamespace()), bounded(objects.GetName())
	}
}

// read is for a request whose snapshot the planner has made itself.
func (s *summary) read(snapshot *model.Snapshot) {
	s.namespace, s.uid, s.pods = bounded(snapshot.Set.Namespace), bounded(snapshot.Set.UID), len(snapshot.Pods)
}

func (s *summary) plan(plan *setplanv1.Plan, actions int) {
	s.planned = true
	s.actions, s.blocks, s.converged = actions, len(plan.GetBlocks()), plan.GetConverged()
}

func (s *summary) fields(fields []slog.Attr) []slog.Attr {
	if s.asked {
		fields = append(fields, slog.String("namespace", s.namespace), slog.String("set", s.set), slog.String("uid", s.uid), slog.Int("pods", s.pods))
	}
	if s.planned {
		fields = append(fields, slog.Int("actions", s.actions), slog.Int("blocks", s.blocks), slog.Bool("converged", s.converged))
	}
	return fields
}

func bounded(s string) string {
	return s[:min(len(s), maxLoggedName)]
}
