package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// step is what somebody does in the demo.
type step struct {
	says string
	do   func(ctx context.Context, b *bed) error
}

var steps = []step{
	{"kubectl set resources ... --limits=memory=384Mi      # more memory", moreMemory},
	{"kubectl set image ... etcd=setplan.local/etcd:2      # a new image, in place", toImage2},
	{"kubectl set image ... etcd=setplan.local/etcd:wrong  # a mistake", func(ctx context.Context, b *bed) error {
		if err := b.image(ctx, "wrong"); err != nil {
			return err
		}
		time.Sleep(10 * time.Second)
		b.why(ctx)
		fmt.Println("       USER  kubectl set image ... etcd=setplan.local/etcd:1      # corrected")
		return b.image(ctx, "1")
	}},
	{"kubectl delete and create by an update, and kubectl drain node-1 meanwhile", func(ctx context.Context, b *bed) error {
		if _, err := b.kubectl(ctx, "annotate", "statefulset", "etcd", "setplan.io/in-place-"); err != nil {
			return err
		}
		return drainMeanwhile(ctx, b)
	}},
}

// demo shows changes of one database while a client writes, and how fast it wrote.
func demo(ctx context.Context, bin string) (err error) {
	fmt.Println("A control plane with three real nodes, Setplan, and an etcd of three members.")
	b, err := start(ctx, bin, controllers[len(controllers)-1])
	defer func() { err = errors.Join(err, b.stop(false)) }()
	b.database = databases[0]
	if err == nil {
		err = b.deploy(ctx, 3, inPlace)
	}
	if err != nil {
		return err
	}
	c, err := b.write(ctx, 3)
	if err != nil {
		return err
	}
	began := time.Now()
	now := func() int { return int(time.Since(began).Seconds()) }
	time.Sleep(3 * time.Second)
	var marks []int
	for n, s := range steps {
		marks = append(marks, now())
		fmt.Printf("%4ds %c USER  %s\n", now(), 'a'+n, s.says)
		before, err := b.started(ctx)
		if err == nil {
			err = s.do(ctx, b)
		}
		if err != nil {
			return err
		}
		if _, err := b.settle(ctx); err != nil {
			return err
		}
		restarted, err := b.restarted(ctx, before)
		if err != nil {
			return err
		}
		fmt.Printf("%4ds   done  %d of 3 members were restarted\n", now(), restarted)
	}
	r, err := c.end()
	if err != nil {
		return err
	}
	fmt.Printf("\n%d writes were acknowledged, %d of them lost. The longest time without one was %d ms, and there were %d elections.\n\nWrites per second:\n%s",
		r.Acknowledged, len(r.Lost), r.Longest.Milliseconds(), r.Elections, picture(r.Seconds, marks))
	return nil
}

// why prints the first wait of the set.
func (b *bed) why(ctx context.Context) {
	out, _ := command(ctx, nil, b.program("setplan"), "why", "etcd", "--kubeconfig", b.kubeconfig, "--namespace", b.space) // it fails where the set waits
	_, wait, _ := strings.Cut(out, "\n")
	wait, _, _ = strings.Cut(wait, "\n2. ")
	fmt.Println("       WHY   " + strings.ReplaceAll(wait, "\n", "\n             "))
}

// picture draws a column for each second, and letters below it at the marks.
func picture(seconds, marks []int) string {
	const height = 8
	var out strings.Builder
	top := max(1, slices.Max(append(seconds, 0)))
	for row := height; row > 0; row-- {
		label := ""
		switch row {
		case height:
			label = fmt.Sprint(top)
		case 1:
			label = "0"
		}
		fmt.Fprintf(&out, "%6s |", label)
		for _, n := range seconds {
			eighths := n*height*8/top - (row-1)*8
			out.WriteString(string([]rune(" ▁▂▃▄▅▆▇█")[min(8, max(0, eighths))]))
		}
		out.WriteString("\n")
	}
	below := []rune(strings.Repeat(" ", len(seconds)+1))
	for n, second := range marks {
		below[min(second, len(seconds))] = rune('a' + n)
	}
	return out.String() + "        " + string(below) + "\n"
}
