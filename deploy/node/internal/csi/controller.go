package csi

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// smallest is the smallest volume: mkfs.xfs makes no smaller one.
const smallest = 16 << 20

// CreateVolume implements csi.ControllerServer.
func (d *Driver) CreateVolume(ctx context.Context, req *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	switch {
	case !validName.MatchString(req.Name):
		return nil, status.Errorf(codes.InvalidArgument, "the name %q must match %s", req.Name, validName)
	case len(req.Parameters)+len(req.MutableParameters) > 0:
		return nil, status.Errorf(codes.InvalidArgument, "the driver has no parameters: %v %v", req.Parameters, req.MutableParameters)
	case req.VolumeContentSource != nil:
		return nil, status.Error(codes.InvalidArgument, "a volume cannot be made from a snapshot or from another volume")
	}
	for _, c := range req.VolumeCapabilities {
		if err := supported(c); err != nil {
			return nil, err
		}
	}
	size, err := capacity(req.CapacityRange, smallest)
	if err != nil {
		return nil, err
	}
	id, nodes := req.Name, nodesOf(req.AccessibilityRequirements)
	if len(nodes) > 0 {
		id += "@" + nodes[0]
	}
	if !validID.MatchString(id) || len(nodes) == 0 && req.AccessibilityRequirements != nil {
		return nil, status.Errorf(codes.ResourceExhausted, "no topology of the request has a node under %s", TopologyKey)
	}

	d.changes.Lock()
	defer d.changes.Unlock()
	existing, err := filepath.Glob(filepath.Join(d.Volumes, req.Name+"@*"+suffix))
	if err != nil {
		return nil, err
	}
	if len(existing) > 0 {
		id = strings.TrimSuffix(filepath.Base(existing[0]), suffix)
	}
	v, err := d.volume(id)
	if status.Code(err) == codes.NotFound {
		if err := d.create(ctx, id, size, fsType(req.VolumeCapabilities[0])); err != nil {
			return nil, err
		}
		v, err = d.volume(id)
	}
	if err != nil {
		return nil, err
	}
	limit := req.CapacityRange.GetLimitBytes()
	if v.size < req.CapacityRange.GetRequiredBytes() || limit > 0 && v.size > limit || v.node != "" && nodes != nil && !slices.Contains(nodes, v.node) {
		return nil, status.Errorf(codes.AlreadyExists, "there is a volume %s of %d bytes already", v.id, v.size)
	}
	created := &csi.Volume{VolumeId: v.id, CapacityBytes: v.size}
	if v.node != "" {
		created.AccessibleTopology = []*csi.Topology{topology(v.node)}
	}
	return &csi.CreateVolumeResponse{Volume: created}, nil
}

// create makes a volume under another name, filesystem and all, and renames it. So nothing formats a volume that has been in use: one that has
// lost its filesystem fails to mount, instead of coming back empty. An interrupted creation starts again from the beginning.
func (d *Driver) create(ctx context.Context, id string, size int64, fsType string) error {
	unfinished := filepath.Join(d.Volumes, ".unfinished")
	if err := errors.Join(os.WriteFile(unfinished, nil, 0o600), os.Truncate(unfinished, size)); err != nil {
		return err
	}
	if _, err := run(ctx, nil, mkfs(fsType, unfinished, size)...); err != nil {
		return err
	}
	return os.Rename(unfinished, filepath.Join(d.Volumes, id+suffix))
}

// DeleteVolume implements csi.ControllerServer.
func (d *Driver) DeleteVolume(ctx context.Context, req *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
	d.changes.Lock()
	defer d.changes.Unlock()
	v, err := d.volume(req.VolumeId)
	if status.Code(err) == codes.NotFound {
		return &csi.DeleteVolumeResponse{}, nil
	}
	if err != nil {
		return nil, err
	}
	lock, loop, err := v.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	if loop != "" {
		return nil, status.Errorf(codes.FailedPrecondition, "volume %s is mounted, from %s", v.id, loop)
	}
	return &csi.DeleteVolumeResponse{}, os.Remove(v.file)
}

// ControllerExpandVolume grows the file. The node grows the loop device and the filesystem.
func (d *Driver) ControllerExpandVolume(_ context.Context, req *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, error) {
	d.changes.Lock()
	defer d.changes.Unlock()
	v, err := d.volume(req.VolumeId)
	if err != nil {
		return nil, err
	}
	size, err := capacity(req.CapacityRange, v.size)
	if err != nil {
		return nil, err
	}
	return &csi.ControllerExpandVolumeResponse{CapacityBytes: size, NodeExpansionRequired: true}, os.Truncate(v.file, size)
}

// ValidateVolumeCapabilities implements csi.ControllerServer.
func (d *Driver) ValidateVolumeCapabilities(_ context.Context, req *csi.ValidateVolumeCapabilitiesRequest) (*csi.ValidateVolumeCapabilitiesResponse, error) {
	if _, err := d.volume(req.VolumeId); err != nil {
		return nil, err
	}
	for _, c := range req.VolumeCapabilities {
		if err := supported(c); err != nil {
			return &csi.ValidateVolumeCapabilitiesResponse{Message: status.Convert(err).Message()}, nil
		}
	}
	return &csi.ValidateVolumeCapabilitiesResponse{Confirmed: &csi.ValidateVolumeCapabilitiesResponse_Confirmed{
		VolumeCapabilities: req.VolumeCapabilities,
	}}, nil
}

// ControllerGetCapabilities implements csi.ControllerServer.
func (d *Driver) ControllerGetCapabilities(context.Context, *csi.ControllerGetCapabilitiesRequest) (*csi.ControllerGetCapabilitiesResponse, error) {
	can := func(t csi.ControllerServiceCapability_RPC_Type) *csi.ControllerServiceCapability {
		return &csi.ControllerServiceCapability{Type: &csi.ControllerServiceCapability_Rpc{Rpc: &csi.ControllerServiceCapability_RPC{Type: t}}}
	}
	return &csi.ControllerGetCapabilitiesResponse{Capabilities: []*csi.ControllerServiceCapability{
		can(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME),
		can(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME),
	}}, nil
}

// capacity is the size that a request asks for, in whole sectors of a loop device, and not less than a volume has that cannot shrink.
func capacity(r *csi.CapacityRange, current int64) (int64, error) {
	const sector = 512
	size := max(current, (r.GetRequiredBytes()+sector-1)/sector*sector)
	if limit := r.GetLimitBytes(); r.GetRequiredBytes() < 0 || limit < 0 || limit > 0 && size > limit {
		return 0, status.Errorf(codes.OutOfRange, "no capacity from %d to %d bytes is possible: the least is %d", r.GetRequiredBytes(), limit, size)
	}
	return size, nil
}

// nodesOf is the nodes that a request allows, preferred ones first.
func nodesOf(r *csi.TopologyRequirement) []string {
	var nodes []string
	for _, t := range slices.Concat(r.GetPreferred(), r.GetRequisite()) {
		if node := t.Segments[TopologyKey]; node != "" {
			nodes = append(nodes, node)
		}
	}
	return nodes
}

func topology(node string) *csi.Topology {
	return &csi.Topology{Segments: map[string]string{TopologyKey: node}}
}
