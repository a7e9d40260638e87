package csi

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/kubernetes-csi/csi-test/v5/pkg/sanity"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

const (
	// role is the environment variable that says what this program is when it has started itself.
	role       = "SETPLAN_CSI_TEST"
	roleTests  = "tests"  // the tests, in a mount namespace of their own
	roleDriver = "driver" // the driver of node-a, in the folder that is its only argument
	mib        = 1 << 20
)

// skip is the reason why this machine cannot run the tests, "" if it can.
var skip string

// TestMain runs the tests in a mount namespace of their own. All that they mount goes with it.
func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case roleDriver:
		d := &Driver{Volumes: filepath.Join(os.Args[1], "volumes"), Node: "node-a"}
		panic(d.Run(context.Background(), filepath.Join(os.Args[1], "csi.sock"), os.Args[1]))
	case roleTests:
		os.Exit(m.Run())
	}
	for command, pkg := range packages {
		if _, err := exec.LookPath(command); err != nil {
			skip = "this machine has no " + command + ": install the Debian package " + pkg
		}
	}
	if os.Geteuid() != 0 {
		skip = "only root may mount"
	}
	if skip == "" {
		tests := command(roleTests, os.Args[1:]...)
		tests.Stdout, tests.Stderr = os.Stdout, os.Stderr
		runtime.LockOSThread()
		err := tests.Run()
		if tests.Process != nil {
			if err != nil {
				os.Exit(1)
			}
			os.Exit(0)
		}
		skip = "this machine gives the tests no mount namespace: " + err.Error()
	}
	os.Exit(m.Run())
}

// command is this program in another role, in a mount namespace of its own, which ends with this process.
func command(as string, args ...string) *exec.Cmd {
	cmd := exec.Command("/proc/self/exe", args...)
	cmd.Env = append(os.Environ(), role+"="+as)
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	return cmd
}

// rig is a driver with all services, for node-a.
type rig struct {
	csi.IdentityClient
	csi.ControllerClient
	csi.NodeClient
	dir, socket string
	stop        func()
}

func start(t *testing.T) *rig {
	t.Helper()
	if skip != "" {
		t.Skip(skip)
	}
	dir, err := os.MkdirTemp("", "csi") // not t.TempDir: the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{dir: dir, socket: filepath.Join(dir, "csi.sock")}
	t.Cleanup(func() {
		r.stop()
		if out := shell(t, "losetup --list --noheadings --output BACK-FILE; cat /proc/self/mountinfo"); strings.Contains(out, dir) {
			t.Errorf("the test leaves a mount or a loop device in %s:\n%s", dir, out)
			return
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	r.start(t)
	return r
}

func (r *rig) start(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	running, over := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		defer over()
		d := &Driver{Volumes: filepath.Join(r.dir, "volumes"), Controller: true, Node: "node-a"}
		ended <- d.Run(ctx, r.socket, r.dir)
	}()
	r.stop = func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		r.stop = func() {}
	}
	conn := dial(t, r.socket)
	r.IdentityClient, r.ControllerClient, r.NodeClient = csi.NewIdentityClient(conn), csi.NewControllerClient(conn), csi.NewNodeClient(conn)
	if _, err := r.Probe(running, &csi.ProbeRequest{}); err != nil {
		t.Fatal(err)
	}
}

// dial connects once somebody listens.
func dial(t *testing.T, socket string) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient("unix://"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.WaitForReady(true)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func shell(t *testing.T, script string) string {
	t.Helper()
	out, err := exec.Command("sh", "-ec", script).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", script, err, out)
	}
	return string(out)
}

func (r *rig) path(name string) string { return filepath.Join(r.dir, name) }

func writer(fsType string) *csi.VolumeCapability {
	return &csi.VolumeCapability{
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{FsType: fsType}},
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
	}
}

func createRequest(name, fsType string, size int64, nodes ...string) *csi.CreateVolumeRequest {
	req := &csi.CreateVolumeRequest{
		Name: name, VolumeCapabilities: []*csi.VolumeCapability{writer(fsType)}, CapacityRange: &csi.CapacityRange{RequiredBytes: size},
	}
	if nodes != nil {
		req.AccessibilityRequirements = &csi.TopologyRequirement{}
	}
	for _, node := range nodes {
		req.AccessibilityRequirements.Preferred = append(req.AccessibilityRequirements.Preferred, topology(node))
	}
	return req
}

func (r *rig) create(t *testing.T, name, fsType string, size int64, nodes ...string) *csi.Volume {
	t.Helper()
	resp, err := r.CreateVolume(t.Context(), createRequest(name, fsType, size, nodes...))
	if err != nil {
		t.Fatal(err)
	}
	return resp.Volume
}

// stage mounts a volume at the path "staged", which is unmounted when the test ends.
func (r *rig) stage(t *testing.T, id, fsType string) string {
	t.Helper()
	path := r.path("staged")
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := r.NodeStageVolume(t.Context(), stageRequest(id, path, fsType)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := r.NodeUnstageVolume(context.Background(), &csi.NodeUnstageVolumeRequest{VolumeId: id, StagingTargetPath: path}); err != nil {
			t.Error(err)
		}
	})
	return path
}

func stageRequest(id, path, fsType string) *csi.NodeStageVolumeRequest {
	return &csi.NodeStageVolumeRequest{VolumeId: id, StagingTargetPath: path, VolumeCapability: writer(fsType)}
}

func wantCode(t *testing.T, what string, err error, want codes.Code) {
	t.Helper()
	if got := status.Code(err); got != want {
		t.Errorf("%s: got %v (%v), want %v", what, got, err, want)
	}
}

// TestSanity is the suite of the CSI project.
func TestSanity(t *testing.T) {
	r := start(t)
	config := sanity.NewTestConfig()
	config.Address = "unix://" + r.socket
	config.TargetPath, config.StagingPath = r.path("target"), r.path("staging")
	config.TestVolumeSize, config.TestVolumeExpandSize = 32*mib, 64*mib
	sanity.Test(t, config)
}

// TestGrowth fills a volume, grows it while it is mounted, and finds the data there and room for more.
func TestGrowth(t *testing.T) {
	for _, fsType := range []string{"xfs", "ext4"} {
		t.Run(fsType, func(t *testing.T) { growth(t, fsType) })
	}
}

func growth(t *testing.T, fsType string) {
	r := start(t)
	if has, err := unix.PrctlRetInt(unix.PR_CAPBSET_READ, unix.CAP_SYS_RESOURCE, 0, 0, 0); fsType == "ext4" && (err != nil || has == 0) {
		t.Skip("the kernel grows ext4 only for processes with CAP_SYS_RESOURCE, which this machine withholds from root")
	}
	v := r.create(t, "grows", fsType, 32*mib)
	staged := r.stage(t, v.VolumeId, fsType)
	total := func() int64 {
		stats, err := r.NodeGetVolumeStats(t.Context(), &csi.NodeGetVolumeStatsRequest{VolumeId: v.VolumeId, VolumePath: staged})
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range stats.Usage {
			if u.Total <= 0 || u.Used+u.Available > u.Total {
				t.Errorf("usage that does not add up: %v", u)
			}
		}
		return stats.Usage[0].Total
	}

	data := make([]byte, 8*mib)
	_, _ = rand.Read(data)
	if err := os.WriteFile(filepath.Join(staged, "data"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(staged, "filler"), make([]byte, 32*mib), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("32 MiB more in a volume of 32 MiB: got %v, want ENOSPC", err)
	}

	before := total()
	larger := &csi.CapacityRange{RequiredBytes: 96 * mib}
	node := &csi.NodeExpandVolumeRequest{VolumeId: v.VolumeId, VolumePath: staged, CapacityRange: larger}
	_, err := r.NodeExpandVolume(t.Context(), node)
	wantCode(t, "the node grows the volume before the controller", err, codes.OutOfRange)
	expand := &csi.ControllerExpandVolumeRequest{VolumeId: v.VolumeId, CapacityRange: larger}
	for range 2 { // growing is idempotent
		grown, err := r.ControllerExpandVolume(t.Context(), expand)
		if err != nil || grown.CapacityBytes != 96*mib || !grown.NodeExpansionRequired {
			t.Fatalf("grow the file: got %v, %v", grown, err)
		}
	}
	if now := total(); now != before {
		t.Fatalf("the filesystem has %d bytes before the node has grown it, want %d", now, before)
	}
	for range 2 {
		if _, err := r.NodeExpandVolume(t.Context(), node); err != nil {
			t.Fatal(err)
		}
	}
	if now := total(); now < 80*mib {
		t.Errorf("the filesystem has %d bytes of 96 MiB", now)
	}
	if err := os.WriteFile(filepath.Join(staged, "filler"), make([]byte, 32*mib), 0o600); err != nil {
		t.Errorf("32 MiB more in a volume of 96 MiB: %v", err)
	}
	if got, err := os.ReadFile(filepath.Join(staged, "data")); err != nil || !bytes.Equal(got, data) {
		t.Errorf("the data has changed: %v", err)
	}
	_, err = r.ControllerExpandVolume(t.Context(), &csi.ControllerExpandVolumeRequest{
		VolumeId: v.VolumeId, CapacityRange: &csi.CapacityRange{LimitBytes: 32 * mib},
	})
	wantCode(t, "shrink", err, codes.OutOfRange)
}

// TestRefuse asks for refusals while the driver runs, and takes them back.
func TestRefuse(t *testing.T) {
	r := start(t)
	refuse := func(lines string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(r.path("volumes"), Refuse), []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	create := func(name string) error {
		_, err := r.CreateVolume(t.Context(), createRequest(name, "", smallest, "node-a"))
		return err
	}
	expand := func(id string) error {
		_, err := r.ControllerExpandVolume(t.Context(), &csi.ControllerExpandVolumeRequest{
			VolumeId: id, CapacityRange: &csi.CapacityRange{RequiredBytes: 2 * smallest},
		})
		return err
	}
	refuse("CreateVolume\n")
	wantCode(t, "every creation is refused", create("one"), codes.ResourceExhausted)
	refuse("CreateVolume INTERNAL two\n")
	wantCode(t, "the creation of another volume is refused", create("one"), codes.OK)
	wantCode(t, "this creation is refused", create("two"), codes.Internal)
	refuse("ControllerExpandVolume two INVALID_ARGUMENT\nControllerExpandVolume one@node-a\n")
	wantCode(t, "only growth is refused", create("two"), codes.OK)
	wantCode(t, "growth is refused by id", expand("one@node-a"), codes.ResourceExhausted)
	wantCode(t, "growth is refused by name", expand("two@node-a"), codes.InvalidArgument)
	refuse("NodeStageVolume\n")
	wantCode(t, "only mounting is refused", expand("two@node-a"), codes.OK)
	_, err := r.NodeStageVolume(t.Context(), stageRequest("two@node-a", r.path("staged"), ""))
	wantCode(t, "mounting is refused", err, codes.ResourceExhausted)
	refuse("")
	r.stage(t, "two@node-a", "")
}

// TestCreate creates what CSI's own suite does not.
func TestCreate(t *testing.T) {
	r := start(t)
	v := r.create(t, "one", "", 32*mib, "node-b", "node-a")
	if len(v.AccessibleTopology) != 1 || v.AccessibleTopology[0].Segments[TopologyKey] != "node-b" {
		t.Errorf("got the topology %v, want the first that is preferred", v.AccessibleTopology)
	}

	// The driver is killed: it leaves its sockets and what it was creating.
	r.stop()
	for _, leftover := range []string{"csi.sock", "plugins_registry/" + Name + "-reg.sock", "volumes/.unfinished"} {
		if err := os.WriteFile(r.path(leftover), []byte("left"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r.start(t)
	info, err := registration.NewRegistrationClient(dial(t, r.path("plugins_registry/"+Name+"-reg.sock"))).GetInfo(t.Context(), &registration.InfoRequest{})
	if err != nil || info.Name != Name || info.Endpoint != r.socket {
		t.Errorf("the kubelet gets %v, %v", info, err)
	}
	if again := r.create(t, "one", "", 32*mib, "node-a", "node-b"); again.VolumeId != v.VolumeId || again.CapacityBytes != 32*mib {
		t.Errorf("after a restart, got %v, want %v", again, v)
	}
	r.create(t, "two", "", 32*mib)
	r.stage(t, "two", "")

	for _, c := range []struct {
		what   string
		change func(*csi.CreateVolumeRequest)
		want   codes.Code
	}{
		{"a parameter", func(r *csi.CreateVolumeRequest) { r.Parameters = map[string]string{"refuse": "expand"} }, codes.InvalidArgument},
		{"an unknown filesystem", func(r *csi.CreateVolumeRequest) {
			r.VolumeCapabilities = []*csi.VolumeCapability{writer("btrfs")}
		}, codes.InvalidArgument},
		{"many nodes at once", func(r *csi.CreateVolumeRequest) {
			r.VolumeCapabilities[0].AccessMode.Mode = csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
		}, codes.InvalidArgument},
		{"a name that is a path", func(r *csi.CreateVolumeRequest) { r.Name = "../one" }, codes.InvalidArgument},
		{"a limit below the smallest", func(r *csi.CreateVolumeRequest) {
			r.CapacityRange = &csi.CapacityRange{LimitBytes: mib}
		}, codes.OutOfRange},
		{"a topology of another driver", func(r *csi.CreateVolumeRequest) {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: []*csi.Topology{{Segments: map[string]string{"zone": "a"}}}}
		}, codes.ResourceExhausted},
		{"the name of a volume on another node", func(r *csi.CreateVolumeRequest) {
			r.Name = "one"
			r.AccessibilityRequirements = &csi.TopologyRequirement{Preferred: []*csi.Topology{topology("node-c")}}
		}, codes.AlreadyExists},
	} {
		req := createRequest("three", "", 32*mib)
		c.change(req)
		_, err := r.CreateVolume(t.Context(), req)
		wantCode(t, c.what, err, c.want)
	}
}

// TestPublish mounts a volume where pods see it, read-only for one of them, and nowhere else.
func TestPublish(t *testing.T) {
	r := start(t)
	v := r.create(t, "one", "", 32*mib, "node-a")
	publish := func(target string, readonly bool) error {
		_, err := r.NodePublishVolume(t.Context(), &csi.NodePublishVolumeRequest{
			VolumeId: v.VolumeId, StagingTargetPath: r.path("staged"), TargetPath: r.path(target), Readonly: readonly, VolumeCapability: writer(""),
		})
		return err
	}
	wantCode(t, "publish what is not staged", publish("pod", false), codes.FailedPrecondition)
	staged := r.stage(t, v.VolumeId, "")
	r.stage(t, v.VolumeId, "") // staging is idempotent

	_, err := r.NodeStageVolume(t.Context(), stageRequest(v.VolumeId, t.TempDir(), ""))
	wantCode(t, "stage a second time, elsewhere", err, codes.FailedPrecondition)
	_, err = r.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: v.VolumeId})
	wantCode(t, "delete what is mounted", err, codes.FailedPrecondition)
	other := r.create(t, "two", "", 32*mib, "node-b")
	_, err = r.NodeStageVolume(t.Context(), stageRequest(other.VolumeId, t.TempDir(), ""))
	wantCode(t, "stage another node's volume", err, codes.FailedPrecondition)

	for range 2 { // and so is publishing
		wantCode(t, "publish", publish("pod", false), codes.OK)
		wantCode(t, "publish read-only", publish("reader", true), codes.OK)
	}
	if err := os.WriteFile(r.path("pod/data"), []byte("data"), 0o600); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(r.path("reader/data"), nil, 0o600); !errors.Is(err, syscall.EROFS) {
		t.Errorf("write to a read-only volume: got %v, want EROFS", err)
	}
	for _, path := range []string{staged, r.path("reader")} {
		if got, err := os.ReadFile(filepath.Join(path, "data")); string(got) != "data" {
			t.Errorf("%s has %q: %v", path, got, err)
		}
	}
	for _, target := range []string{"pod", "reader", "reader"} {
		_, err := r.NodeUnpublishVolume(t.Context(), &csi.NodeUnpublishVolumeRequest{VolumeId: v.VolumeId, TargetPath: r.path(target)})
		wantCode(t, "unpublish", err, codes.OK)
		if _, err := os.Stat(r.path(target)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there: %v", target, err)
		}
	}
}

// TestKilledNode kills a node with a volume mounted. While it lives nobody else can mount the volume; once it is dead somebody can.
func TestKilledNode(t *testing.T) {
	r := start(t)
	v := r.create(t, "one", "", 32*mib, "node-a")
	there, err := os.MkdirTemp("", "csi")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(there)
	staged := filepath.Join(there, "staged")
	for _, dir := range []string{"volumes", "staged"} {
		if err := os.Mkdir(filepath.Join(there, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := unix.Mount(r.path("volumes"), filepath.Join(there, "volumes"), "", unix.MS_BIND, ""); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := unmount(filepath.Join(there, "volumes")); err != nil {
			t.Error(err)
		}
	}()
	node := command(roleDriver, there)
	node.SysProcAttr.Cloneflags = syscall.CLONE_NEWPID
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	kill := func() {
		_ = node.Process.Kill()
		_ = node.Wait()
	}
	defer kill()
	if _, err := csi.NewNodeClient(dial(t, filepath.Join(there, "csi.sock"))).NodeStageVolume(t.Context(), stageRequest(v.VolumeId, staged, "")); err != nil {
		t.Fatal(err)
	}
	if _, err = r.NodeStageVolume(t.Context(), stageRequest(v.VolumeId, there, "")); status.Code(err) != codes.FailedPrecondition {
		t.Fatalf("stage what another process has mounted: got %v, want FAILED_PRECONDITION", err)
	}
	kill()
	for strings.Contains(shell(t, "losetup --list --noheadings --output BACK-FILE"), v.VolumeId) { // the kernel is still at it
		time.Sleep(10 * time.Millisecond)
	}
	r.stage(t, v.VolumeId, "")
}
