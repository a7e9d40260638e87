package server

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"

	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/recovery"
	"google.golang.org/grpc"
)

// recoverer turns a panic into INTERNAL. The caller gets a request id, and the log has the stack under it, unless there are
// too many: whoever has found a bug may trigger it for ever.
func recoverer(log *slog.Logger) grpc.UnaryServerInterceptor {
	budget := strangerBudget(log, "panic")
	return recovery.UnaryServerInterceptor(recovery.WithRecoveryHandlerContext(func(ctx context.Context, p any) error {
		id := requestID(ctx)
		if budget.spend() {
			log.LogAttrs(ctx, slog.LevelError, "panic", slog.String("request_id", id),
				slog.String("panic", describePanic(p)), slog.String("stack", string(debug.Stack())))
		}
		return internal(id)
	}))
}

// describePanic keeps what the runtime says, such as "index out of range". Any other value is named by its type only,
// because it may quote a template, and templates hold secrets; the stack says where it came from.
func describePanic(p any) string {
	if err, ok := p.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("a value of type %T", p)
}
