package csi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// volume is a file. Its size is the volume's capacity, and its name the volume's id: NAME@NODE.img of a volume on one node, NAME.img of one
// that any node may mount. Nothing else is kept, so a volume is there, whole, or not there.
type volume struct {
	id, node, file string
	size           int64
}

const suffix = ".img"

var (
	validName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]*$`)
	validID   = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]*(@[a-zA-Z0-9][a-zA-Z0-9._-]*)?$`)
)

// volume finds a volume by its id.
func (d *Driver) volume(id string) (volume, error) {
	_, node, _ := strings.Cut(id, "@")
	v := volume{id: id, node: node, file: filepath.Join(d.Volumes, id+suffix)}
	info, err := os.Stat(v.file)
	if !validID.MatchString(id) || errors.Is(err, fs.ErrNotExist) {
		return volume{}, status.Errorf(codes.NotFound, "there is no volume %s", id)
	}
	if err != nil {
		return volume{}, err
	}
	v.size = info.Size()
	return v, nil
}

// lock keeps other calls from mounting or deleting the volume until the file is closed, by the caller and by every command that has inherited
// it. It also returns the loop device that has the volume.
func (v volume) lock(ctx context.Context) (*os.File, string, error) {
	f, err := os.Open(v.file)
	if err != nil {
		return nil, "", err
	}
	if err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		err = status.Errorf(codes.Aborted, "another call is at work on volume %s: %v", v.id, err)
	}
	loop := ""
	if err == nil {
		loop, err = v.loop(ctx)
	}
	if err != nil {
		_ = f.Close()
		return nil, "", err
	}
	return f, loop, nil
}

// loop is the loop device that has the volume, "" if none has. The kernel detaches it when the last mount of it goes, in whichever mount
// namespace that is.
func (v volume) loop(ctx context.Context) (string, error) {
	out, err := run(ctx, nil, "losetup", "--associated", v.file, "--noheadings", "--output", "NAME")
	return strings.TrimSpace(out), err
}

// mounted says whether the path leads to the filesystem on a device.
func mounted(path, device string) bool {
	var p, d unix.Stat_t
	return device != "" && unix.Stat(path, &p) == nil && unix.Stat(device, &d) == nil && p.Dev == d.Rdev
}

// unmount does nothing where nothing is mounted.
func unmount(path string) error {
	err := unix.Unmount(path, unix.UMOUNT_NOFOLLOW)
	if err == nil || errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOENT) {
		return nil
	}
	return fmt.Errorf("unmount %s: %w", path, err)
}

// mkfs is the command that makes a filesystem in a file. Nobody supports the small xfs that tests use, and mkfs.xfs wants to hear that its
// user knows.
func mkfs(fsType, file string, size int64) []string {
	switch {
	case fsType == "ext4":
		return []string{"mkfs.ext4", "-q", "-m", "0", file}
	case size < 300<<20:
		return []string{"mkfs.xfs", "-q", "--unsupported", file}
	default:
		return []string{"mkfs.xfs", "-q", file}
	}
}

// packages has the Debian package of each command.
var packages = map[string]string{
	"losetup": "mount", "mount": "mount", "mkfs.ext4": "e2fsprogs", "resize2fs": "e2fsprogs", "mkfs.xfs": "xfsprogs", "xfs_growfs": "xfsprogs",
}

// run runs a command, which inherits the lock if there is one, and returns what it prints.
func run(ctx context.Context, lock *os.File, command ...string) (string, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	if lock != nil {
		cmd.ExtraFiles = []*os.File{lock}
	}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("this machine has no %s: install the Debian package %s", command[0], packages[command[0]])
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, strings.TrimSpace(string(out)))
	}
	return string(out), nil
}

// supported says what the driver cannot do of a capability.
func supported(c *csi.VolumeCapability) error {
	mode := c.GetAccessMode().GetMode()
	switch {
	case c.GetMount() == nil:
		return status.Error(codes.InvalidArgument, "a volume is no block device: it can only be mounted")
	case fsType(c) != "ext4" && fsType(c) != "xfs":
		return status.Errorf(codes.InvalidArgument, "the filesystem must be ext4 or xfs, not %s", fsType(c))
	case mode != csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER && mode != csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY:
		return status.Errorf(codes.InvalidArgument, "the access mode %s is not supported: only one node at a time can mount a volume", mode)
	}
	return nil
}

// fsType is xfs unless a request wants ext4: the kernel grows ext4 only for processes with CAP_SYS_RESOURCE, which some machines withhold from
// root, and xfs for all with CAP_SYS_ADMIN, without which none can mount.
func fsType(c *csi.VolumeCapability) string {
	if t := c.GetMount().GetFsType(); t != "" {
		return t
	}
	return "xfs"
}
