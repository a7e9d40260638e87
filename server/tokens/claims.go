package tokens

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Refused says why a token is not accepted. It does not quote the token.
type Refused struct{ Why string }

// Error implements error.
func (r *Refused) Error() string { return "the bearer token is not accepted: " + r.Why }

// Claims are what a token says about itself. They are true only if the API server accepts the token. Until then they serve to refuse a
// token without asking the API server.
type Claims struct {
	Subject string // such as system:serviceaccount:NAMESPACE:NAME
}

// Identity returns the subject as it is written in a policy file.
func (c Claims) Identity() string { return "TOKEN=" + c.Subject }

// maxToken bounds a token, in bytes. Those of service accounts have about one thousand.
const maxToken = 16 << 10

var errNoAccount = &Refused{"it is not a service account token"}

// accountPrefix is how the names of service accounts begin.
const accountPrefix = "system:serviceaccount:"

// Read reads the claims of a token. It refuses a token that is not for the audience, has expired, or does not belong to a service account.
// The error is a *Refused.
func (r *Reviewer) Read(token string) (Claims, error) {
	payload, ok := payloadOf(token)
	if !ok || !strings.HasPrefix(payload.Subject, accountPrefix) {
		return Claims{}, errNoAccount
	}
	if !slices.Contains(payload.Audience, r.audience) {
		return Claims{}, &Refused{fmt.Sprintf("it is not for the audience %q", r.audience)}
	}
	if float64(r.now().Unix()) >= payload.Expires {
		return Claims{}, &Refused{"it has expired"}
	}
	return Claims{payload.Subject}, nil
}

// payload is the part of a token that is used.
type payload struct {
	Subject  string   `json:"sub"`
	Audience audience `json:"aud"`
	Expires  float64  `json:"exp"` // seconds since 1970
}

// oneSpelling takes base64 in one spelling only: what follows the last bit is zero.
var oneSpelling = base64.RawURLEncoding.Strict()

// payloadOf reads a token, whose signature nobody has checked. It refuses what is not the one spelling of a token: API servers accept more,
// such as a token with a space and anything after it, and with those a caller would have any number of tokens. It returns no error, which could
// quote the token.
func payloadOf(token string) (p payload, ok bool) {
	if len(token) > maxToken || strings.Count(token, ".") != 2 || strings.ContainsAny(token, "\r\n") {
		return p, false
	}
	var claims []byte
	for i, part := range strings.Split(token, ".") {
		decoded, err := oneSpelling.DecodeString(part)
		if err != nil {
			return p, false
		}
		if i == 1 {
			claims = decoded
		}
	}
	err := json.Unmarshal(claims, &p)
	return p, err == nil
}

// audience is one text or a list of them.
type audience []string

// UnmarshalJSON implements json.Unmarshaler.
func (a *audience) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*a = audience{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(a))
}
