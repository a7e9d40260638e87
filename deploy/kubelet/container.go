//go:build linux

package kubelet

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// container is a process, and what it is started with.
type container struct {
	name    string
	root    string
	user    string
	command []string
	env     []string
	log     string
	network *network
	grace   time.Duration
	pid     atomic.Int64 // 0: it does not run
}

// imageConfig is what is used of an image's config.
type imageConfig struct {
	User       string
	Entrypoint []string
}

func (k *Kubelet) container(ctx context.Context, p *Pod, spec *corev1.Container) (*container, error) {
	image := filepath.Join(k.Images, filepath.Base(spec.Image))
	data, err := os.ReadFile(filepath.Join(image, "config.json"))
	if err != nil {
		return nil, err
	}
	var config imageConfig
	if err := json.Unmarshal(data, &config); err != nil {
		return nil, err
	}
	c := &container{name: spec.Name, root: filepath.Join(p.folder, spec.Name), user: config.User, log: k.log(p.Name, spec.Name), network: p.network,
		command: append(config.Entrypoint, spec.Args...), grace: 30 * time.Second}
	if len(spec.Command) > 0 {
		return nil, fmt.Errorf("a command in place of the image's: %v", spec.Command)
	}
	if s := p.pod.Spec.SecurityContext; s != nil && s.RunAsUser != nil {
		c.user = fmt.Sprint(*s.RunAsUser)
		if s.RunAsGroup != nil {
			c.user += fmt.Sprintf(":%d", *s.RunAsGroup)
		}
	}
	if s := p.pod.Spec.TerminationGracePeriodSeconds; s != nil {
		c.grace = time.Duration(*s) * time.Second
	}
	c.env = append(c.env, "HOSTNAME="+p.Name)
	for _, v := range spec.Env {
		if v.ValueFrom != nil {
			return nil, fmt.Errorf("the variable %s is no plain value", v.Name)
		}
		c.env = append(c.env, v.Name+"="+v.Value)
	}
	if err := os.CopyFS(c.root, os.DirFS(filepath.Join(image, "rootfs"))); err != nil {
		return nil, err
	}
	for _, mount := range spec.VolumeMounts {
		if err := k.volume(ctx, p.pod, mount.Name, filepath.Join(c.root, mount.MountPath)); err != nil {
			return nil, fmt.Errorf("volume %s: %w", mount.Name, err)
		}
	}
	return c, nil
}

// enter makes the root file system read-only, in a mount namespace of its own, takes the pod's name, and becomes the program in it, as its user.
const enter = `echo "$HOSTNAME" >/proc/sys/kernel/hostname && mount --make-rprivate / && mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && cd / && exec chroot --userspec="$2" "$1" "${@:3}"`

// run keeps the program running until the context ends: whenever it ends, it is started again, as a kubelet does.
func (c *container) run(ctx context.Context) {
	log, err := os.OpenFile(c.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		panic(err) // the folder was there a moment ago
	}
	defer log.Close()
	for ctx.Err() == nil {
		cmd := exec.Command("bash", append([]string{"-c", enter, "enter", c.root, c.user}, c.command...)...)
		cmd.Env, cmd.Stdout, cmd.Stderr = c.env, log, log
		cmd.Env = append(cmd.Env, "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
		// A session of its own: an interrupt from the keyboard is for who runs the pods.
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWUTS, Setsid: true}
		c.network.inside(func() { err = cmd.Start() })
		if err != nil {
			fmt.Fprintln(log, "it does not start:", err)
			return
		}
		c.pid.Store(int64(cmd.Process.Pid))
		ended := make(chan struct{})
		go func() {
			_ = cmd.Wait() // how it ended stands in its log
			c.pid.Store(0)
			close(ended)
		}()
		select {
		case <-ended:
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		case <-ctx.Done():
			_ = cmd.Process.Signal(syscall.SIGTERM)
			select {
			case <-ended:
			case <-time.After(c.grace):
				_ = cmd.Process.Kill()
				<-ended
			}
		}
	}
}
