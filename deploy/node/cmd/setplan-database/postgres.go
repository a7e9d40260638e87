package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

//go:embed postgres.yaml
var postgresManifest string

// postgresImages makes what the pods of PostgreSQL run, of Debian's package.
func postgresImages(ctx context.Context, bin string) error {
	const programs, share = "/usr/lib/postgresql/15", "/usr/share/postgresql/15"
	if _, err := os.Stat(programs + "/bin/initdb"); err != nil {
		return fmt.Errorf("apt-get install --no-install-recommends postgresql: version 15 is needed: %w", err)
	}
	var files []string
	for _, path := range []string{
		"/bin/sh", "/etc/passwd", share,
		programs + "/bin/postgres", programs + "/bin/initdb", programs + "/bin/pg_basebackup", programs + "/bin/pg_rewind",
		programs + "/lib/libpqwalreceiver.so", programs + "/lib/dict_snowball.so", programs + "/lib/plpgsql.so",
	} {
		files = append(files, path+"="+path)
	}
	for _, version := range []string{"1", "2"} {
		args := []string{"image", "--libraries", "--out", filepath.Join(bin, "node-images", "pg-"+version+".tar"),
			"--name", "setplan.local/pg:" + version, "--label", "version=" + version, "--entrypoint", "/setplan-postgres",
			"/setplan-postgres=" + filepath.Join(bin, "setplan-postgres")}
		if _, err := command(ctx, nil, filepath.Join(bin, "setplan-node"), append(args, files...)...); err != nil {
			return err
		}
	}
	return nil
}

// placePrimary makes the highest ordinal the primary in the first run, the middle one in the second and the lowest in the third: how often the primary of a
// rollout from the highest to the lowest ordinal moves depends on where it is.
func placePrimary(ctx context.Context, b *bed, run int) error {
	wanted := fmt.Sprintf("pg-%d", 2-run%3)
	if _, err := b.kubectl(ctx, "annotate", "lease", "pg", "handover="+wanted); err != nil {
		return err
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(250 * time.Millisecond) {
		primary, err := b.kubectl(ctx, "get", "pods", "-l", "role=primary", "-o", "jsonpath={.items[*].metadata.name}")
		if err != nil {
			return err
		}
		if primary == wanted {
			time.Sleep(3 * time.Second) // the others follow
			_, err := b.settle(ctx)
			return err
		}
	}
	return fmt.Errorf("%s has not become the primary", wanted)
}
