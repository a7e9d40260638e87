package csi

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// NodeStageVolume mounts the volume, unless a loop device has it already: two of them with one filesystem would destroy it.
func (d *Driver) NodeStageVolume(ctx context.Context, req *csi.NodeStageVolumeRequest) (*csi.NodeStageVolumeResponse, error) {
	if err := supported(req.VolumeCapability); err != nil {
		return nil, err
	}
	v, err := d.volume(req.VolumeId)
	if err != nil {
		return nil, err
	}
	if v.node != "" && v.node != d.Node {
		return nil, status.Errorf(codes.FailedPrecondition, "volume %s is not on node %s", v.id, d.Node)
	}
	lock, loop, err := v.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	if mounted(req.StagingTargetPath, loop) {
		return &csi.NodeStageVolumeResponse{}, nil
	}
	if loop != "" {
		return nil, status.Errorf(codes.FailedPrecondition, "volume %s is mounted elsewhere, from %s", v.id, loop)
	}
	options := strings.Join(append([]string{"loop"}, req.VolumeCapability.GetMount().MountFlags...), ",")
	_, err = run(ctx, lock, "mount", "-t", fsType(req.VolumeCapability), "-o", options, v.file, req.StagingTargetPath)
	return &csi.NodeStageVolumeResponse{}, err
}

// NodeUnstageVolume implements csi.NodeServer.
func (d *Driver) NodeUnstageVolume(_ context.Context, req *csi.NodeUnstageVolumeRequest) (*csi.NodeUnstageVolumeResponse, error) {
	return &csi.NodeUnstageVolumeResponse{}, unmount(req.StagingTargetPath)
}

// NodePublishVolume implements csi.NodeServer.
func (d *Driver) NodePublishVolume(ctx context.Context, req *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
	if err := supported(req.VolumeCapability); err != nil {
		return nil, err
	}
	_, loop, err := d.staged(ctx, req.VolumeId, req.StagingTargetPath, codes.FailedPrecondition)
	if err != nil {
		return nil, err
	}
	if !mounted(req.TargetPath, loop) {
		if err := os.MkdirAll(req.TargetPath, 0o750); err != nil {
			return nil, err
		}
		if err := unix.Mount(req.StagingTargetPath, req.TargetPath, "", unix.MS_BIND, ""); err != nil {
			return nil, fmt.Errorf("mount %s: %w", req.TargetPath, err)
		}
	}
	if req.Readonly || req.VolumeCapability.AccessMode.Mode == csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY {
		if err := unix.MountSetattr(unix.AT_FDCWD, req.TargetPath, 0, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
			return nil, fmt.Errorf("make %s read-only: %w", req.TargetPath, err)
		}
	}
	return &csi.NodePublishVolumeResponse{}, nil
}

// NodeUnpublishVolume implements csi.NodeServer.
func (d *Driver) NodeUnpublishVolume(_ context.Context, req *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
	if err := unmount(req.TargetPath); err != nil {
		return nil, err
	}
	if err := os.Remove(req.TargetPath); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	return &csi.NodeUnpublishVolumeResponse{}, nil
}

// NodeExpandVolume grows the filesystem, mounted as it is, to the size of the file.
func (d *Driver) NodeExpandVolume(ctx context.Context, req *csi.NodeExpandVolumeRequest) (*csi.NodeExpandVolumeResponse, error) {
	v, loop, err := d.staged(ctx, req.VolumeId, req.VolumePath, codes.NotFound)
	if err != nil {
		return nil, err
	}
	if required := req.CapacityRange.GetRequiredBytes(); required > v.size {
		return nil, status.Errorf(codes.OutOfRange, "volume %s has %d bytes: the controller has not grown it to %d", v.id, v.size, required)
	}
	if _, err := run(ctx, nil, "losetup", "--set-capacity", loop); err != nil {
		return nil, err
	}
	var s unix.Statfs_t
	if err := unix.Statfs(req.VolumePath, &s); err != nil {
		return nil, err
	}
	grow := []string{"resize2fs", loop}
	if s.Type == unix.XFS_SUPER_MAGIC {
		grow = []string{"xfs_growfs", "-d", req.VolumePath}
	}
	if _, err := run(ctx, nil, grow...); err != nil {
		return nil, err
	}
	return &csi.NodeExpandVolumeResponse{CapacityBytes: v.size}, nil
}

// NodeGetVolumeStats implements csi.NodeServer.
func (d *Driver) NodeGetVolumeStats(ctx context.Context, req *csi.NodeGetVolumeStatsRequest) (*csi.NodeGetVolumeStatsResponse, error) {
	if _, _, err := d.staged(ctx, req.VolumeId, req.VolumePath, codes.NotFound); err != nil {
		return nil, err
	}
	var s unix.Statfs_t
	if err := unix.Statfs(req.VolumePath, &s); err != nil {
		return nil, err
	}
	usage := func(unit csi.VolumeUsage_Unit, size int64, total, free, available uint64) *csi.VolumeUsage {
		return &csi.VolumeUsage{Unit: unit, Total: int64(total) * size, Used: int64(total-free) * size, Available: int64(available) * size}
	}
	return &csi.NodeGetVolumeStatsResponse{Usage: []*csi.VolumeUsage{
		usage(csi.VolumeUsage_BYTES, s.Bsize, s.Blocks, s.Bfree, s.Bavail),
		usage(csi.VolumeUsage_INODES, 1, s.Files, s.Ffree, s.Ffree),
	}}, nil
}

// staged returns the volume and its loop device, or an error with the code if the volume is not mounted at the path.
func (d *Driver) staged(ctx context.Context, id, path string, code codes.Code) (volume, string, error) {
	v, err := d.volume(id)
	if err != nil {
		return v, "", err
	}
	loop, err := v.loop(ctx)
	if err == nil && !mounted(path, loop) {
		err = status.Errorf(code, "volume %s is not mounted at %s", v.id, path)
	}
	return v, loop, err
}

// NodeGetInfo implements csi.NodeServer.
func (d *Driver) NodeGetInfo(context.Context, *csi.NodeGetInfoRequest) (*csi.NodeGetInfoResponse, error) {
	return &csi.NodeGetInfoResponse{NodeId: d.Node, AccessibleTopology: topology(d.Node)}, nil
}

// NodeGetCapabilities implements csi.NodeServer.
func (d *Driver) NodeGetCapabilities(context.Context, *csi.NodeGetCapabilitiesRequest) (*csi.NodeGetCapabilitiesResponse, error) {
	can := func(t csi.NodeServiceCapability_RPC_Type) *csi.NodeServiceCapability {
		return &csi.NodeServiceCapability{Type: &csi.NodeServiceCapability_Rpc{Rpc: &csi.NodeServiceCapability_RPC{Type: t}}}
	}
	return &csi.NodeGetCapabilitiesResponse{Capabilities: []*csi.NodeServiceCapability{
		can(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME),
		can(csi.NodeServiceCapability_RPC_EXPAND_VOLUME),
		can(csi.NodeServiceCapability_RPC_GET_VOLUME_STATS),
	}}, nil
}
