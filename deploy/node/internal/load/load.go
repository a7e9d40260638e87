// Package load writes to a database without pause, and counts what a change of the database costs who writes.
package load

import (
	"context"
	"sync"
	"time"
)

// Report is what was counted. A database's client prints it as JSON.
type Report struct {
	Acknowledged int           // writes
	Lost         []Row         // acknowledged ones that are not there in the end
	Failed       int           // writes that ended with an error: they may be there or not
	Longest      time.Duration // without a successful write
	Without      time.Duration // sum of all spans above the threshold
	Elections    int           // by how much the database's term, or timeline, has grown
	Seconds      []int         // successful writes of each second
}

// Row is the n-th write of a writer.
type Row struct{ Writer, N int }

// Writers is how many write at the same time.
const Writers = 4

const (
	threshold = 100 * time.Millisecond
	patience  = time.Second // of a write
)

// Write is one write. An error says that it may be there or not.
type Write func(ctx context.Context, row Row) error

// tally counts for all writers.
type tally struct {
	sync.Mutex
	Report
	rows        []Row
	began, last time.Time
}

// Run writes with all writers until ctx is done, and returns what it has counted and which rows were acknowledged. No row is written twice, failed or not: a database could
// answer a second attempt before the first one is safe.
func Run(ctx context.Context, writers [Writers]Write) (Report, []Row) {
	t := &tally{began: time.Now()}
	t.last = t.began
	var all sync.WaitGroup
	for w, write := range writers {
		all.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				short, cancel := context.WithTimeout(context.Background(), patience)
				t.count(Row{w, n}, write(short, Row{w, n}))
				cancel()
			}
		})
	}
	all.Wait()
	t.gap(time.Now()) // it may have ended without a write
	return t.Report, t.rows
}

func (t *tally) count(row Row, err error) {
	t.Lock()
	defer t.Unlock()
	if err != nil {
		t.Failed++
		return
	}
	now := time.Now()
	t.Acknowledged++
	t.rows = append(t.rows, row)
	t.gap(now)
	t.last = now
	second := int(now.Sub(t.began) / time.Second)
	for len(t.Seconds) <= second {
		t.Seconds = append(t.Seconds, 0)
	}
	t.Seconds[second]++
}

func (t *tally) gap(now time.Time) {
	if gap := now.Sub(t.last); gap > threshold {
		t.Without += gap
		t.Longest = max(t.Longest, gap)
	}
}

// Check notes which of the rows are lost.
func (r *Report) Check(acknowledged []Row, found map[Row]bool) {
	for _, row := range acknowledged {
		if !found[row] {
			r.Lost = append(r.Lost, row)
		}
	}
}
