//go:build linux

package kubelet

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// apiServer is the address that pods reach the API server at.
func (k *Kubelet) apiServer() (host, port string, err error) {
	address, err := url.Parse(k.API.Host)
	if err != nil {
		return "", "", err
	}
	return address.Hostname(), address.Port(), nil
}

// volume writes what a volume holds into a folder, for everybody to read: who else is in the container is the program alone.
func (k *Kubelet) volume(ctx context.Context, pod *corev1.Pod, name, folder string) error {
	files, err := k.files(ctx, pod, name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for file, data := range files {
		if err := os.WriteFile(filepath.Join(folder, file), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (k *Kubelet) files(ctx context.Context, pod *corev1.Pod, name string) (map[string][]byte, error) {
	for _, v := range pod.Spec.Volumes {
		switch {
		case v.Name != name:
		case v.Secret != nil:
			secret, err := k.Client.CoreV1().Secrets(pod.Namespace).Get(ctx, v.Secret.SecretName, metav1.GetOptions{})
			if err != nil {
				return nil, err
			}
			return picked(secret.Data, v.Secret.Items), nil
		case v.ConfigMap != nil:
			config, err := k.Client.CoreV1().ConfigMaps(pod.Namespace).Get(ctx, v.ConfigMap.Name, metav1.GetOptions{})
			if err != nil {
				return nil, err
			}
			files := map[string][]byte{}
			for name, text := range config.Data {
				files[name] = []byte(text)
			}
			return picked(files, v.ConfigMap.Items), nil
		case v.Projected != nil:
			files := map[string][]byte{}
			for _, source := range v.Projected.Sources {
				if err := k.projected(ctx, pod, source, files); err != nil {
					return nil, err
				}
			}
			return files, nil
		}
	}
	return nil, fmt.Errorf("the pod has no such volume of a sort that is known here")
}

// picked are the items that a volume names; without any, all.
func picked(data map[string][]byte, items []corev1.KeyToPath) map[string][]byte {
	if len(items) == 0 {
		return data
	}
	files := map[string][]byte{}
	for _, item := range items {
		files[item.Path] = data[item.Key]
	}
	return files
}

func (k *Kubelet) projected(ctx context.Context, pod *corev1.Pod, source corev1.VolumeProjection, files map[string][]byte) error {
	switch {
	case source.ServiceAccountToken != nil:
		request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: source.ServiceAccountToken.ExpirationSeconds,
			BoundObjectRef: &authenticationv1.BoundObjectReference{APIVersion: "v1", Kind: "Pod", Name: pod.Name, UID: pod.UID}}}
		if source.ServiceAccountToken.Audience != "" {
			request.Spec.Audiences = []string{source.ServiceAccountToken.Audience}
		}
		token, err := k.Client.CoreV1().ServiceAccounts(pod.Namespace).CreateToken(ctx, pod.Spec.ServiceAccountName, request, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		files[source.ServiceAccountToken.Path] = []byte(token.Status.Token)
	case source.ConfigMap != nil && source.ConfigMap.Name == "kube-root-ca.crt":
		// Every namespace has it in a cluster; the local control plane has the authority in its kubeconfig.
		config := rest.CopyConfig(k.API)
		if err := rest.LoadTLSFiles(config); err != nil {
			return err
		}
		files[source.ConfigMap.Items[0].Path] = config.CAData
	case source.DownwardAPI != nil && source.DownwardAPI.Items[0].FieldRef.FieldPath == "metadata.namespace":
		files[source.DownwardAPI.Items[0].Path] = []byte(pod.Namespace)
	default:
		return fmt.Errorf("a source that is not known here: %+v", source)
	}
	return nil
}
