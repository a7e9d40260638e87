{{/* The name of a part: adapter or server. */}}
{{- define "setplan.name" -}}
{{ .root.Release.Name }}-{{ .part }}
{{- end }}

{{/* What selects the pods of a part. */}}
{{- define "setplan.selector" -}}
app.kubernetes.io/name: setplan-{{ .part }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end }}

{{- define "setplan.image" -}}
{{- $name := index .root.Values.image .part -}}
{{- with .root.Values.image.registry }}{{ . }}/{{ end }}{{ $name }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{/* The kinds, as JSON. */}}
{{- define "setplan.own" -}}
{{- if eq .Values.adapter.mode "drain" }}["apps/v1"]
{{- else }}{{ .Values.adapter.own | default (list "apps.setplan.io/v1beta1") | toJson }}
{{- end }}
{{- end }}

{{/* Whether apps/v1 is among them; "" is false. */}}
{{- define "setplan.builtin" -}}
{{- if has "apps/v1" (include "setplan.own" . | fromJsonArray) }}true{{ end }}
{{- end }}

{{/* The other kinds, as JSON: group, resource and lease of each. */}}
{{- define "setplan.otherKinds" -}}
{{- $kinds := list }}
{{- range without (include "setplan.own" . | fromJsonArray) "apps/v1" }}
  {{- $words := splitList "," . }}
  {{- $group := first $words | splitList "/" | first }}
  {{- $resource := "statefulsets" }}
  {{- if gt (len $words) 1 }}{{ $resource = index $words 1 }}{{ end }}
  {{- $lease := printf "setplan-adapter-%s-%s" $resource (replace "." "-" $group) }}
  {{- $kinds = append $kinds (dict "group" $group "resource" $resource "lease" $lease) }}
{{- end }}
{{- toJson $kinds }}
{{- end }}

{{/* The leases that the adapter holds for a kind, as JSON, by the name of the kind's lease of all namespaces. */}}
{{- define "setplan.leases" -}}
{{- $names := list }}
{{- if .root.Values.adapter.namespaces }}
  {{- range .root.Values.adapter.namespaces }}{{ $names = append $names (printf "%s.%s" $.lease .) }}{{ end }}
{{- else }}
  {{- $names = list .lease }}
{{- end }}
{{- toJson $names }}
{{- end }}

{{/* Binds a cluster role to the adapter: in the namespaces that it works in, or in all. */}}
{{- define "setplan.bind" -}}
{{- $name := printf "%s-%s" (include "setplan.name" (dict "root" .root "part" "adapter")) .role }}
{{- $namespaces := .namespaces | default .root.Values.adapter.namespaces }}
{{- if not $namespaces }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {{ $name }}
{{ include "setplan.bound" (dict "root" .root "kind" "ClusterRole" "name" $name) }}
{{- end }}
{{- range $namespaces }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ $name }}
  namespace: {{ . }}
{{ include "setplan.bound" (dict "root" $.root "kind" "ClusterRole" "name" $name) }}
{{- end }}
{{- end }}

{{/* The role and the subject of a binding of the adapter. */}}
{{- define "setplan.bound" -}}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ .kind }}
  name: {{ .name }}
subjects:
  - kind: ServiceAccount
    name: {{ include "setplan.name" (dict "root" .root "part" "adapter") }}
    namespace: {{ .root.Release.Namespace }}
{{- end }}

{{- define "setplan.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{/* GOMEMLIMIT is three quarters of the limit, so that the collector works harder before the kernel kills. The CPU has no limit: a plan
that is throttled is late, and nothing else gets better by it on a node where nobody needs it. */}}
{{- define "setplan.resources" -}}
env:
  - name: GOMEMLIMIT
    value: {{ div (mul .memoryMiB 3) 4 }}MiB
resources:
  requests:
    cpu: {{ .cpu }}
    memory: 128Mi
  limits:
    memory: {{ .memoryMiB }}Mi
{{- end }}

{{/* Probes take the port's name and scheme. A second is short on a busy node. */}}
{{- define "setplan.probes" -}}
readinessProbe:
  httpGet:
    path: /readyz
    port: {{ .port }}
    scheme: {{ .scheme }}
  timeoutSeconds: 5
livenessProbe:
  httpGet:
    path: /healthz
    port: {{ .port }}
    scheme: {{ .scheme }}
  initialDelaySeconds: 10
  timeoutSeconds: 5
{{- end }}

{{/* What the pods of both parts have in common. */}}
{{- define "setplan.pod" -}}
automountServiceAccountToken: false
priorityClassName: {{ .root.Values.priorityClassName | default .root.Release.Name }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile:
    type: RuntimeDefault
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "setplan.selector" . | nindent 8 }}
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "setplan.selector" . | nindent 8 }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The secret with a part's certificate: one that is there, or the one that cert-manager makes. */}}
{{- define "setplan.tlsSecret" -}}
{{ .tls.secret | default (printf "%s-tls" (include "setplan.name" .)) }}
{{- end }}

{{/* The volume with the service account, as Kubernetes would mount it: the token, the authorities of the API server, and the namespace. */}}
{{- define "setplan.credentials" -}}
- name: credentials
  projected:
    sources:
      - serviceAccountToken:
          path: token
          expirationSeconds: 3600
      - configMap:
          name: kube-root-ca.crt
          items:
            - key: ca.crt
              path: ca.crt
      - downwardAPI:
          items:
            - path: namespace
              fieldRef:
                fieldPath: metadata.namespace
{{- end }}
