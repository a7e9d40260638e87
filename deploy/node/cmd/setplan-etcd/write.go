package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/setplan/setplan/deploy/node/internal/load"
)

// write writes to the $MEMBERS members of $SET until it is told to end, checks then, and prints a report as JSON.
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
	before, err := term(endpoints)
	if err != nil {
		return err
	}
	prefix := fmt.Sprintf("k/%d/", time.Now().UnixNano())
	var writers [load.Writers]load.Write
	for w := range writers {
		c, err := connect(endpoints...)
		if err != nil {
			return err
		}
		defer c.Close()
		writers[w] = func(ctx context.Context, row load.Row) error {
			_, err := c.Put(ctx, key(prefix, row), "")
			return err
		}
	}
	report, acknowledged := load.Run(ctx, writers)
	found, err := read(endpoints, prefix)
	if err != nil {
		return err
	}
	report.Check(acknowledged, found)
	after, err := term(endpoints)
	if err != nil {
		return err
	}
	report.Elections = int(after - before)
	return json.NewEncoder(os.Stdout).Encode(report)
}

func key(prefix string, row load.Row) string {
	return fmt.Sprintf("%s%d/%08d", prefix, row.Writer, row.N)
}

// read reads all keys, in portions.
func read(endpoints []string, prefix string) (map[load.Row]bool, error) {
	c, err := connect(endpoints...)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	found := map[load.Row]bool{}
	from, end := prefix, clientv3.GetPrefixRangeEnd(prefix)
	for {
		got, err := c.Get(ctx, from, clientv3.WithRange(end), clientv3.WithLimit(5000), clientv3.WithKeysOnly())
		if err != nil {
			return nil, fmt.Errorf("read: %w", err)
		}
		for _, kv := range got.Kvs {
			var row load.Row
			if _, err := fmt.Sscanf(strings.TrimPrefix(string(kv.Key), prefix), "%d/%d", &row.Writer, &row.N); err != nil {
				return nil, fmt.Errorf("key %s: %w", kv.Key, err)
			}
			found[row] = true
			from = string(kv.Key) + "\x00"
		}
		if !got.More {
			return found, nil
		}
	}
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
