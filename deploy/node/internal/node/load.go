package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	containerd "github.com/containerd/containerd/v2/client"
	"github.com/containerd/containerd/v2/pkg/namespaces"
)

// Load gives images to the node that has this folder: archives as Docker and OCI write them.
func Load(ctx context.Context, dir string, archives ...string) error {
	client, err := connect(ctx, dir)
	if err != nil {
		return err
	}
	defer client.Close()
	ctx = namespaces.WithNamespace(ctx, "k8s.io")
	for _, archive := range archives {
		if err := load(ctx, client, archive); err != nil {
			return fmt.Errorf("load %s: %w", archive, err)
		}
	}
	return nil
}

func load(ctx context.Context, client *containerd.Client, archive string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	images, err := client.Import(ctx, f)
	if err != nil {
		return err
	}
	for _, image := range images {
		if err := containerd.NewImage(client, image).Unpack(ctx, "overlayfs"); err != nil {
			return err
		}
	}
	return nil
}

// connect waits for containerd, which may be starting.
func connect(ctx context.Context, dir string) (*containerd.Client, error) {
	// The path of a socket may have 107 bytes at most, and this folder may be anywhere.
	folder, err := os.Open(filepath.Join(dir, "run"))
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	socket := fmt.Sprintf("/proc/%d/fd/%d%s", os.Getpid(), folder.Fd(), Socket[len("/run"):])
	for {
		client, err := containerd.New(socket, containerd.WithTimeout(time.Second))
		if err == nil {
			var serving bool
			if serving, err = client.IsServing(ctx); serving {
				return client, nil
			}
			client.Close()
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("reach containerd: %w", errors.Join(err, ctx.Err()))
		}
		time.Sleep(100 * time.Millisecond)
	}
}
