package server

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/time/rate"
	"google.golang.org/grpc/codes"
)

// How many lines callers can make us write. A flood makes lines of one kind, so each kind has its own share: a flood of
// cancelled calls hides no plan, no bug and no refusal. The log counts what it leaves out, and the metrics count every call.
const (
	plansPerSecond = 500 // of calls that end well: enough for a fleet of 5,000 sets that starts at once
	plansAtOnce    = 1000
	// Calls that fail, for each code.
	failuresPerSecond = 20
	failuresAtOnce    = 100
	// Refused handshakes, which need no certificate, and bugs.
	strangersPerSecond = 5
	strangersAtOnce    = 20
	// countAfter is how soon the log says what was left out.
	countAfter = time.Second
)

// lineBudget lets a number of lines of one kind into the log, and counts the others.
type lineBudget struct {
	limiter *rate.Limiter
	tell    func(leftOut int)

	mu      sync.Mutex
	leftOut int // since it was told last
}

func newLineBudget(perSecond rate.Limit, atOnce int, tell func(leftOut int)) *lineBudget {
	return &lineBudget{limiter: rate.NewLimiter(perSecond, atOnce), tell: tell}
}

// strangerBudget is the budget of lines that begin with these words.
func strangerBudget(log *slog.Logger, of string) *lineBudget {
	return newLineBudget(strangersPerSecond, strangersAtOnce, func(leftOut int) {
		log.Warn("lines left out", "of", of, "count", leftOut)
	})
}

// spend reports whether a line may be written.
func (b *lineBudget) spend() bool {
	if b.limiter.Allow() {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.leftOut++; b.leftOut == 1 {
		time.AfterFunc(countAfter, b.account)
	}
	return false
}

func (b *lineBudget) account() {
	b.mu.Lock()
	leftOut := b.leftOut
	b.leftOut = 0
	b.mu.Unlock()
	b.tell(leftOut)
}

// callBudgets has a budget for each way in which a call can end.
type callBudgets [codes.Unauthenticated + 1]*lineBudget

func newCallBudgets(log *slog.Logger) (budgets callBudgets) {
	for code := range budgets {
		perSecond, atOnce := rate.Limit(failuresPerSecond), failuresAtOnce
		if codes.Code(code) == codes.OK {
			perSecond, atOnce = plansPerSecond, plansAtOnce
		}
		name := codes.Code(code).String()
		budgets[code] = newLineBudget(perSecond, atOnce, func(leftOut int) {
			log.Log(context.Background(), levelOf(codes.Code(code)), "lines left out", "of", "finished call",
				"grpc.code", name, "count", leftOut)
		})
	}
	return budgets
}

// of returns the budget for a code. Codes that gRPC does not have count as UNKNOWN.
func (b *callBudgets) of(code codes.Code) *lineBudget {
	if int(code) >= len(b) {
		code = codes.Unknown
	}
	return b[code]
}
