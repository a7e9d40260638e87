package main

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/semaphore"

	"github.com/setplan/setplan/deploy/node/internal/load"
)

// write writes to whichever member is the primary until it is told to end, checks then, and prints a report as JSON.
func write(ctx context.Context) error {
	var hosts []string
	for _, member := range members() {
		hosts = append(hosts, host(member))
	}
	primary := connection(strings.Join(hosts, ","), "target_session_attrs=read-write")
	const timeline = "SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int"
	var before, after int
	if err := query(ctx, primary, timeline, &before); err != nil {
		return err
	}
	if err := query(ctx, primary, "CREATE TABLE writes (writer int, n int, PRIMARY KEY (writer, n))"); err != nil {
		return err
	}
	config, err := pgx.ParseConfig(primary)
	if err != nil {
		return err
	}
	config.ConnectTimeout = 200 * time.Millisecond // of each member
	turn := semaphore.NewWeighted(1)
	var writers [load.Writers]load.Write
	for w := range writers {
		writers[w] = writer(config, turn)
	}
	report, acknowledged := load.Run(ctx, writers)
	found, err := read(primary)
	if err != nil {
		return err
	}
	report.Check(acknowledged, found)
	if err := query(context.Background(), primary, timeline, &after); err != nil {
		return err
	}
	report.Elections = after - before
	return json.NewEncoder(os.Stdout).Encode(report)
}

// writer has a connection of its own, and never repeats an insert.
func writer(config *pgx.ConnConfig, turn *semaphore.Weighted) load.Write {
	var c *pgx.Conn
	return func(ctx context.Context, row load.Row) (err error) {
		if c == nil || c.IsClosed() {
			if c, err = find(ctx, config, turn); err != nil {
				return err
			}
		}
		if _, err = c.Exec(ctx, "INSERT INTO writes VALUES ($1, $2)", row.Writer, row.N); err != nil {
			c.Close(context.Background())
		}
		return err
	}
}

// find looks for the primary until there is one. One writer at a time does, as each attempt costs every member a process.
func find(ctx context.Context, config *pgx.ConnConfig, turn *semaphore.Weighted) (*pgx.Conn, error) {
	if err := turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer turn.Release(1)
	for {
		c, err := pgx.ConnectConfig(ctx, config)
		if err == nil {
			return c, nil
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func read(primary string) (map[load.Row]bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	c, err := pgx.Connect(ctx, primary)
	if err != nil {
		return nil, err
	}
	defer c.Close(ctx)
	rows, err := c.Query(ctx, "SELECT writer, n FROM writes")
	if err != nil {
		return nil, err
	}
	found := map[load.Row]bool{}
	var row load.Row
	_, err = pgx.ForEachRow(rows, []any{&row.Writer, &row.N}, func() error {
		found[row] = true
		return nil
	})
	return found, err
}
