// Command errors says what to do with an error: errors PLANNER.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: errors PLANNER")
	}
	client, err := setplan.Dial(os.Args[1], setplan.WithInsecure())
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	fmt.Println(ask(context.Background(), client))
}

func ask(ctx context.Context, client *setplan.Client) string {
	_, err := client.Plan(ctx, &setplanv1.PlanRequest{})
	switch {
	case err == nil:
		return "a plan"
	case setplan.ErrorReason(err) == setplanv1.ErrorReason_ERROR_REASON_INVALID_SNAPSHOT:
		return fmt.Sprint("mend the request: ", setplan.Violations(err))
	case setplan.ErrorReason(err) == setplanv1.ErrorReason_ERROR_REASON_OVERLOADED:
		return "ask again later"
	}
	return "no plan, so change nothing: " + err.Error()
}
