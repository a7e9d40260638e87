// Command setplan-postgres is what an operator of PostgreSQL has in its pods, and a client that counts what a rollout costs.
//
//	run     a member: a Lease says which one is the primary, and the others follow it
//	write   a client that writes without pause, and checks in the end that nothing acknowledged was lost
//
// The set is $SET of $MEMBERS pods in $NAMESPACE. $DNS is a name server, for a client that runs outside of a pod.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/setplan/setplan/deploy/node/internal/command"
)

func main() {
	command.Main(map[string]func(context.Context) error{"run": run, "write": write})
}

// members are the names of the set's pods.
func members() []string {
	size, err := strconv.Atoi(os.Getenv("MEMBERS"))
	if err != nil {
		log.Fatal("$MEMBERS must be how many pods the set has: ", err)
	}
	var all []string
	for n := range size {
		all = append(all, fmt.Sprintf("%s-%d", os.Getenv("SET"), n))
	}
	return all
}

// host is the name of a pod, which the headless service with the set's name gives it.
func host(member string) string {
	return fmt.Sprintf("%s.%s.%s.svc.cluster.local", member, os.Getenv("SET"), os.Getenv("NAMESPACE"))
}

// connection is how a database is connected to.
func connection(hosts, more string) string {
	return fmt.Sprintf("host=%s user=postgres dbname=postgres sslmode=disable connect_timeout=2 %s", hosts, more)
}

// query runs a statement in a connection of its own, and reads the row that it gives.
func query(ctx context.Context, connection, statement string, row ...any) error {
	c, err := pgx.Connect(ctx, connection)
	if err != nil {
		return err
	}
	defer c.Close(context.Background())
	if len(row) > 0 {
		return c.QueryRow(ctx, statement).Scan(row...)
	}
	_, err = c.Exec(ctx, statement)
	return err
}
