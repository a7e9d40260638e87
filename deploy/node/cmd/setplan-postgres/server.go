package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

const (
	programs = "/usr/lib/postgresql/15/bin/"
	data     = "/data/pg"
	unready  = "/data/new" // becomes data once it is complete
	standby  = data + "/standby.signal"
	local    = "/tmp" // the folder of the server's socket
)

// server is the PostgreSQL of this pod. It always starts as a standby: a promotion gives it a timeline that nobody else has.
type server struct {
	cmd   *exec.Cmd
	ended chan struct{}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func program(ctx context.Context, name string, args ...string) error {
	out, err := exec.CommandContext(ctx, programs+name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, out)
	}
	log.Print(name, ": done")
	return nil
}

// create fills the data folder, by initdb or by a copy of the primary.
func create(ctx context.Context, name string, args ...string) error {
	if err := errors.Join(os.RemoveAll(unready), os.MkdirAll(unready, 0o700)); err != nil {
		return err
	}
	if err := program(ctx, name, append(args, "-D", unready, "-U", "postgres")...); err != nil {
		return err
	}
	return os.Rename(unready, data)
}

func initialize(ctx context.Context) error {
	if err := create(ctx, "initdb", "--locale=C", "--encoding=UTF8", "--auth=trust"); err != nil {
		return err
	}
	return os.WriteFile(data+"/pg_hba.conf", []byte("local all all trust\nhost all,replication all all trust\n"), 0o600)
}

// rewind takes back what this member has and the primary does not. Where that fails, or did not help, there are no data, and they are copied.
func (s *server) rewind(ctx context.Context, primary string, again bool) error {
	source := connection(host(primary), "target_session_attrs=read-write")
	if err := query(ctx, source, "CHECKPOINT"); err != nil { // pg_rewind reads the timeline from the primary's last one
		return err
	}
	s.stop(syscall.SIGINT)
	if err := errors.Join(os.RemoveAll(unready), os.Rename(data, unready)); err != nil || again {
		return err
	}
	if err := program(ctx, "pg_rewind", "-D", unready, "--source-server", source); err != nil {
		return err
	}
	return os.Rename(unready, data)
}

// configure writes all settings: initdb, a copy and a rewind leave those of another member. A pg_basebackup does not count as a standby, so they have names.
func configure(member, primary string) error {
	source := "host=127.0.0.1 port=1" // nobody
	if primary != "" {
		source = connection(host(primary), "application_name="+member)
	}
	settings := map[string]string{
		"listen_addresses": "*", "unix_socket_directories": local, "shared_buffers": "32MB", "jit": "off",
		"wal_log_hints": "on", "wal_keep_size": "128MB", "max_wal_size": "256MB",
		"wal_retrieve_retry_interval": "100ms", "wal_sender_timeout": "3s", "wal_receiver_timeout": "3s",
		"synchronous_commit": "on", "synchronous_standby_names": `ANY 1 ("` + strings.Join(members(), `", "`) + `")`,
		"primary_conninfo": source,
	}
	var file strings.Builder
	for name, value := range settings {
		fmt.Fprintf(&file, "%s = '%s'\n", name, value)
	}
	return os.WriteFile(data+"/postgresql.auto.conf", []byte(file.String()), 0o600)
}

func (s *server) start(member, primary string) error {
	// A kubelet that mounts the disk again for the group of the pod lets the group write.
	if err := errors.Join(os.Chmod(data, 0o700), configure(member, primary), os.WriteFile(standby, nil, 0o600)); err != nil {
		return err
	}
	s.cmd, s.ended = exec.Command(programs+"postgres", "-D", data), make(chan struct{})
	s.cmd.Stdout, s.cmd.Stderr = os.Stdout, os.Stderr
	if err := s.cmd.Start(); err != nil {
		return err
	}
	go func(cmd *exec.Cmd, ended chan struct{}) {
		log.Print("postgres has ended: ", cmd.Wait())
		close(ended)
	}(s.cmd, s.ended)
	return nil
}

func (s *server) runs() bool {
	if s.ended == nil {
		return false
	}
	select {
	case <-s.ended:
		return false
	default:
		return true
	}
}

// stop ends the server: SIGINT sends all that was written to the standbys first, SIGQUIT does not.
func (s *server) stop(how os.Signal) {
	if !s.runs() {
		return
	}
	s.cmd.Process.Signal(how)
	select {
	case <-s.ended:
	case <-time.After(15 * time.Second):
		s.cmd.Process.Signal(syscall.SIGQUIT)
		<-s.ended
	}
}
