package adapters

import "context"

type termKey struct{}

// WithTerm gives a context a second end. When the context ends no new action is begun, and those under way are finished.
// When the term ends those are cut off as well: from then on somebody else may write.
func WithTerm(ctx, term context.Context) context.Context {
	return context.WithValue(ctx, termKey{}, term)
}

// TermOf is the term of a context; one without a term has one that does not end.
func TermOf(ctx context.Context) context.Context {
	if term, ok := ctx.Value(termKey{}).(context.Context); ok {
		return term
	}
	return context.Background()
}
