package server

import (
	"context"
	"log/slog"
	"time"

	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// callLogger writes one line per call when it ends, as long as there are not too many. It never sees the payload: only
// fields that this file picks.
//
// Only the reporting of go-grpc-middleware is used, with the names of fields that its lines have. Its logging interceptor puts the
// fields of each line together before it is known whether the line will be written, with a search through the list for each field: a
// hundred allocations a call.
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
	// Without a certificate that we have checked there is only the caller's address.
	if identity := identityOf(l.ctx); identity != "" {
		add("caller", identity)
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

// levelOf: what the operator of this server must look at is an error; what some caller must look at is a warning.
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

// summary is what a call tells the log of itself. The request may be read over and given away meanwhile: its names are kept, which
// are bounded already.
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
