package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
)

// Report is what write prints when it is told to end.
type report struct {
	Acknowledged int           // writes
	Lost         []string      // keys of those that are not there, or have another value
	Failed       int           // writes that ended with an error: they may be there or not
	Longest      time.Duration // without a successful write
	Without      time.Duration // sum of all spans above the threshold
	Elections    uint64        // by how much the term has grown
	Seconds      []int         // successful writes of each second
}

const (
	writers   = 4
	threshold = 100 * time.Millisecond
	patience  = time.Second // of a write
)

// tally counts for all writers.
type tally struct {
	sync.Mutex
	report
	began, last time.Time
}

func (t *tally) count(err error) {
	t.Lock()
	defer t.Unlock()
	if err != nil {
		t.Failed++
		return
	}
	now := time.Now()
	t.Acknowledged++
	if gap := now.Sub(t.last); gap > threshold {
		t.Without += gap
		t.Longest = max(t.Longest, gap)
	}
	t.last = now
	second := int(now.Sub(t.began) / time.Second)
	for len(t.Seconds) <= second {
		t.Seconds = append(t.Seconds, 0)
	}
	t.Seconds[second]++
}

// write writes to $ENDPOINTS until it is told to end, checks then, and prints a report as JSON.
func write(ctx context.Context) error {
	p := pod{set: os.Getenv("SET")}
	size, err := strconv.Atoi(os.Getenv("MEMBERS"))
	if err != nil {
		return err
	}
	var endpoints []string
	for n := range size {
		endpoints = append(endpoints, p.client(n))
	}
	t := &tally{}
	before, err := term(endpoints)
	if err != nil {
		return err
	}
	t.began = time.Now()
	t.last = t.began
	prefix := fmt.Sprintf("k/%d/", t.began.UnixNano())
	var all sync.WaitGroup
	acknowledged := make([]int, writers)
	for w := range writers {
		c, err := connect(endpoints...)
		if err != nil {
			return err
		}
		defer c.Close()
		all.Go(func() {
			for ctx.Err() == nil {
				short, cancel := context.WithTimeout(context.Background(), patience)
				_, err := c.Put(short, key(prefix, w, acknowledged[w]), strconv.Itoa(acknowledged[w]))
				cancel()
				t.count(err)
				if err == nil {
					acknowledged[w]++
				}
			}
		})
	}
	all.Wait()
	if gap := time.Since(t.last); gap > threshold { // it ended without a write
		t.Without += gap
		t.Longest = max(t.Longest, gap)
	}
	c, err := connect(endpoints...)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := t.check(c, prefix, acknowledged); err != nil {
		return err
	}
	after, err := term(endpoints)
	if err != nil {
		return err
	}
	t.Elections = after - before
	return json.NewEncoder(os.Stdout).Encode(t.report)
}

func key(prefix string, writer, n int) string { return fmt.Sprintf("%s%d/%08d", prefix, writer, n) }

// check reads all keys, in portions, and looks for what was acknowledged.
func (t *tally) check(c *clientv3.Client, prefix string, acknowledged []int) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	found := map[string]string{}
	from, end := prefix, clientv3.GetPrefixRangeEnd(prefix)
	for {
		got, err := c.Get(ctx, from, clientv3.WithRange(end), clientv3.WithLimit(5000))
		if err != nil {
			return fmt.Errorf("check: %w", err)
		}
		for _, kv := range got.Kvs {
			found[string(kv.Key)] = string(kv.Value)
			from = string(kv.Key) + "\x00"
		}
		if !got.More {
			break
		}
	}
	for w, n := range acknowledged {
		for i := range n {
			if k := key(prefix, w, i); found[k] != strconv.Itoa(i) {
				t.Lost = append(t.Lost, k)
			}
		}
	}
	return nil
}

// term is the newest term that any member knows.
func term(endpoints []string) (newest uint64, err error) {
	c, err := connect(endpoints...)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	for _, endpoint := range endpoints {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		status, e := c.Status(ctx, endpoint)
		cancel()
		if e != nil {
			err = e
			continue
		}
		newest = max(newest, status.RaftTerm)
	}
	if newest > 0 {
		err = nil
	}
	return newest, err
}
