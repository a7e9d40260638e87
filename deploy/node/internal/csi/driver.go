// Package csi is a driver for volumes that live on one Linux machine, for tests with real kubelets. A volume is a file with a filesystem in
// it, in one folder that all nodes see at the same path. The node that stages it mounts the file through a loop device.
//
// A file in that folder makes the driver refuse calls while it runs; see Refuse.
package csi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

const (
	// Name is the driver's name, which a StorageClass calls its provisioner.
	Name = "disk.setplan.io"
	// TopologyKey is the label whose value is the node that a volume is on.
	TopologyKey = "topology." + Name + "/node"
	// Refuse is the file in the folder of volumes that names the calls to refuse, one a line: a method of CSI, such as ControllerExpandVolume,
	// then, in any order, the volume, if only calls for that one are to be refused, and the code to answer with, if not RESOURCE_EXHAUSTED.
	// A volume is named by its id, or by the name that it was created with. The file is read at each call.
	Refuse = "refuse"
)

// Driver serves CSI's identity service, and those of its controller and its node service that it is set up for.
type Driver struct {
	// Volumes is the folder of volumes.
	Volumes string
	// Controller says whether the driver creates, grows and deletes volumes. One process at a time may do so in a folder.
	Controller bool
	// Node is the node to mount volumes on; none if empty.
	Node string

	// changes is held while the controller changes the folder.
	changes sync.Mutex

	csi.UnimplementedIdentityServer
	csi.UnimplementedControllerServer
	csi.UnimplementedNodeServer
}

// Run serves on a Unix socket until the context ends. The driver of a node also registers with the kubelet that has its files in the folder
// kubelet. Sockets that an earlier process has left are replaced: the kubelet takes a new socket for a plugin that has restarted.
func (d *Driver) Run(ctx context.Context, socket, kubelet string) error {
	if err := os.MkdirAll(d.Volumes, 0o700); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	server := grpc.NewServer(grpc.UnaryInterceptor(d.intercept))
	csi.RegisterIdentityServer(server, d)
	if d.Controller {
		csi.RegisterControllerServer(server, d)
	}
	registrar := make(chan error, 1)
	if d.Node == "" {
		close(registrar)
	} else {
		csi.RegisterNodeServer(server, d)
		r := grpc.NewServer()
		registration.RegisterRegistrationServer(r, registrationServer{endpoint: socket})
		go func() {
			defer cancel()
			registrar <- serve(ctx, r, filepath.Join(kubelet, "plugins_registry", Name+"-reg.sock"))
		}()
	}
	err := serve(ctx, server, socket)
	cancel()
	return errors.Join(err, <-registrar)
}

func serve(ctx context.Context, server *grpc.Server, socket string) error {
	if err := os.MkdirAll(filepath.Dir(socket), 0o755); err != nil {
		return err
	}
	if err := os.Remove(socket); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the earlier socket: %w", err)
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, server.Stop)()
	return server.Serve(listener)
}

// required has the fields that each call must set, the volume first.
var required = map[string][]protoreflect.Name{
	"CreateVolume":               {"name", "volume_capabilities"},
	"DeleteVolume":               {"volume_id"},
	"ControllerExpandVolume":     {"volume_id", "capacity_range"},
	"ValidateVolumeCapabilities": {"volume_id", "volume_capabilities"},
	"NodeStageVolume":            {"volume_id", "staging_target_path", "volume_capability"},
	"NodeUnstageVolume":          {"volume_id", "staging_target_path"},
	"NodePublishVolume":          {"volume_id", "staging_target_path", "target_path", "volume_capability"},
	"NodeUnpublishVolume":        {"volume_id", "target_path"},
	"NodeExpandVolume":           {"volume_id", "volume_path"},
	"NodeGetVolumeStats":         {"volume_id", "volume_path"},
}

// intercept answers calls that lack a field and calls that a test wants refused, and logs those that fail. An error without a code of its own
// is an internal one.
func (d *Driver) intercept(ctx context.Context, req any, call *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	method := path.Base(call.FullMethod)
	m := req.(proto.Message).ProtoReflect()
	fields := m.Descriptor().Fields()
	for _, name := range required[method] {
		if !m.Has(fields.ByName(name)) {
			return nil, status.Errorf(codes.InvalidArgument, "the request has no %s", name)
		}
	}
	volume := ""
	if names := required[method]; names != nil {
		volume = m.Get(fields.ByName(names[0])).String()
	}
	if err = d.refused(method, volume); err == nil {
		resp, err = handler(ctx, req)
	}
	if err == nil {
		return resp, nil
	}
	slog.Warn("call failed", "method", method, "volume", volume, "error", err)
	if status.Code(err) == codes.Unknown {
		err = status.Error(codes.Internal, err.Error())
	}
	return nil, err
}

func (d *Driver) refused(method, volume string) error {
	file := filepath.Join(d.Volumes, Refuse)
	content, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	name, _, _ := strings.Cut(volume, "@")
	for line := range strings.Lines(string(content)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != method {
			continue
		}
		code, meant := codes.ResourceExhausted, true
		for _, word := range words[1:] {
			if code.UnmarshalJSON([]byte(strconv.Quote(word))) != nil {
				meant = word == volume || word == name
			}
		}
		if meant {
			return status.Errorf(code, "%s of volume %s is refused, as %s asks", method, volume, file)
		}
	}
	return nil
}

// GetPluginInfo implements csi.IdentityServer.
func (d *Driver) GetPluginInfo(context.Context, *csi.GetPluginInfoRequest) (*csi.GetPluginInfoResponse, error) {
	return &csi.GetPluginInfoResponse{Name: Name, VendorVersion: "1"}, nil
}

// Probe implements csi.IdentityServer.
func (d *Driver) Probe(context.Context, *csi.ProbeRequest) (*csi.ProbeResponse, error) {
	return &csi.ProbeResponse{}, nil
}

// GetPluginCapabilities implements csi.IdentityServer.
func (d *Driver) GetPluginCapabilities(context.Context, *csi.GetPluginCapabilitiesRequest) (*csi.GetPluginCapabilitiesResponse, error) {
	service := func(t csi.PluginCapability_Service_Type) *csi.PluginCapability {
		return &csi.PluginCapability{Type: &csi.PluginCapability_Service_{Service: &csi.PluginCapability_Service{Type: t}}}
	}
	return &csi.GetPluginCapabilitiesResponse{Capabilities: []*csi.PluginCapability{
		service(csi.PluginCapability_Service_CONTROLLER_SERVICE),
		service(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS),
		{Type: &csi.PluginCapability_VolumeExpansion_{
			VolumeExpansion: &csi.PluginCapability_VolumeExpansion{Type: csi.PluginCapability_VolumeExpansion_ONLINE},
		}},
	}}, nil
}

// registrationServer tells the kubelet which driver this is, and where it listens.
type registrationServer struct {
	registration.UnimplementedRegistrationServer
	endpoint string
}

func (r registrationServer) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return &registration.PluginInfo{Type: registration.CSIPlugin, Name: Name, Endpoint: r.endpoint, SupportedVersions: []string{"1.0.0"}}, nil
}

func (r registrationServer) NotifyRegistrationStatus(_ context.Context, s *registration.RegistrationStatus) (*registration.RegistrationStatusResponse, error) {
	slog.Info("the kubelet answers the registration", "registered", s.PluginRegistered, "error", s.Error)
	return &registration.RegistrationStatusResponse{}, nil
}
