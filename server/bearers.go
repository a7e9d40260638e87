package server

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"google.golang.org/grpc/metadata"

	"github.com/setplan/setplan/server/access"
	"github.com/setplan/setplan/server/tokens"
)

// bearers finds out whose the bearer tokens of calls are.
type bearers struct {
	reviewer *tokens.Reviewer
	log      *slog.Logger
	budget   *lineBudget
}

func newBearers(reviewer *tokens.Reviewer, log *slog.Logger) *bearers {
	return &bearers{reviewer, log, strangerBudget(log, "token not reviewed")}
}

// accountOf returns the service account of a call's token, as a policy file has it; empty: the call has no token. Tokens of accounts that are
// in no cluster are not reviewed. A token that is not accepted is an error, also beside a good certificate.
func (b *bearers) accountOf(ctx context.Context, policy *access.Policy) (string, error) {
	token, given, err := tokenOf(ctx)
	if !given || err != nil {
		return "", err
	}
	claims, err := b.reviewer.Read(token)
	if err != nil {
		return "", err
	}
	if account := claims.Identity(); policy.Of([]string{account}) == nil {
		return "", unknownCaller([]string{account})
	}
	if err := b.reviewer.Verify(ctx, token, claims, callerOf(ctx).from); err != nil {
		if ctx.Err() != nil {
			return "", abandoned(ctx)
		}
		if refused := (*tokens.Refused)(nil); !errors.As(err, &refused) && b.budget.spend() {
			b.log.Warn("token not reviewed", "error", harmless(err.Error()))
		}
		return "", err
	}
	callOf(ctx).account = harmless(claims.Identity())
	return claims.Identity(), nil
}

// tokenOf reads the header of a call. An error never quotes it.
func tokenOf(ctx context.Context) (token string, given bool, err error) {
	values := metadata.ValueFromIncomingContext(ctx, "authorization")
	if len(values) == 0 {
		return "", false, nil
	}
	kind, token, found := strings.Cut(values[0], " ")
	if len(values) > 1 || !found || !strings.EqualFold(kind, "Bearer") || token == "" {
		return "", true, &tokens.Refused{Why: "the header authorization must be one, with Bearer and the token"}
	}
	return token, true, nil
}
