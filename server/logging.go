package server

import (
	"context"
	"log/slog"

	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/logging"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// callLogger writes one line per call when it ends, as long as there are not too many. It never sees the payload: only
// fields that this file picks.
func callLogger(log *slog.Logger) grpc.UnaryServerInterceptor {
	budgets := newCallBudgets(log)
	write := func(ctx context.Context, level logging.Level, message string, fields ...any) {
		if budgets.of(codeIn(fields)).spend() {
			log.Log(ctx, slog.Level(level), message, fields...)
		}
	}
	return logging.UnaryServerInterceptor(logging.LoggerFunc(write),
		logging.WithLogOnEvents(logging.FinishCall),
		logging.WithLevels(levelOf),
		logging.WithFieldsFromContext(callFields),
		logging.WithDurationField(logging.DurationToDurationField),
		logging.WithDisableLoggingFields(logging.SystemTag[0], logging.ComponentFieldKey, logging.ServiceFieldKey,
			logging.MethodTypeFieldKey))
}

// codeIn finds how the call ended in the fields of its line.
func codeIn(fields []any) codes.Code {
	for each := logging.Fields(fields).Iterator(); each.Next(); {
		if key, value := each.At(); key == "grpc.code" {
			return codeNamed[value.(string)]
		}
	}
	return codes.Unknown
}

var codeNamed = func() map[string]codes.Code {
	all := map[string]codes.Code{}
	for code := codes.OK; code <= codes.Unauthenticated; code++ {
		all[code.String()] = code
	}
	return all
}()

// levelOf: what the operator of this server must look at is an error; what some caller must look at is a warning.
func levelOf(code codes.Code) logging.Level {
	switch code {
	case codes.OK, codes.Canceled, codes.DeadlineExceeded, codes.Unavailable:
		return logging.LevelInfo
	case codes.InvalidArgument, codes.FailedPrecondition, codes.ResourceExhausted:
		return logging.LevelWarn
	}
	return logging.LevelError
}

// maxLoggedName bounds names in the log; Kubernetes allows 253 bytes, a malformed request may bring megabytes.
const maxLoggedName = 253

// callFields say which call it is and whose. Without a certificate that we have checked there is only the caller's address,
// which each line has anyway.
func callFields(ctx context.Context) logging.Fields {
	fields := logging.Fields{"request_id", requestID(ctx)}
	if identity := identityOf(ctx); identity != "" {
		fields = append(fields, "caller", identity)
	}
	return fields
}

func requestFields(request *setplanv1.PlanRequest) logging.Fields {
	set := request.GetSnapshot().GetSet()
	return logging.Fields{
		"namespace", bounded(set.GetNamespace()),
		"set", bounded(set.GetName()),
		"uid", bounded(set.GetUid()),
		"pods", len(request.GetSnapshot().GetPods()),
	}
}

func planFields(plan *setplanv1.Plan, actions int) logging.Fields {
	return logging.Fields{
		"actions", actions,
		"blocks", len(plan.GetBlocks()),
		"converged", plan.GetConverged(),
	}
}

func bounded(s string) string {
	return s[:min(len(s), maxLoggedName)]
}
