package tokens

import (
	"crypto/sha256"
	"time"
)

// hash stands for a token: memory holds no tokens.
type hash [sha256.Size]byte

// answer is what the API server last said of a token.
type answer struct {
	at      time.Time // of the question
	account string    // whose the token is; empty: nobody's
}

// memory has the answers of the API server that are of one kind: yes, or no.
type memory map[hash]answer

// remembered bounds how many tokens are remembered, separately for accepted and refused ones.
const remembered = 1000

// add notes an answer. Where there is no room it forgets those that are of no use any more, by the time of the new one, and else the oldest one
// of the account that has most: an account with many tokens makes nobody else unknown.
func (m memory) add(of hash, new answer, useful time.Duration) {
	if _, known := m[of]; !known && len(m) >= remembered {
		m.forget(new.at.Add(-useful))
	}
	m[of] = new
}

// forget makes room for one more.
func (m memory) forget(useless time.Time) {
	has := map[string]int{}
	for of, a := range m {
		if !a.at.After(useless) {
			delete(m, of)
		} else {
			has[a.account]++
		}
	}
	if len(m) < remembered {
		return
	}
	var victim hash
	var least answer
	most := 0
	for of, a := range m {
		if n := has[a.account]; n > most || n == most && a.at.Before(least.at) {
			victim, least, most = of, a, n
		}
	}
	delete(m, victim)
}
