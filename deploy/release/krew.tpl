apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: setplan
spec:
  version: {{.Version}}
  homepage: https://github.com/setplan/setplan
  shortDescription: Explain what StatefulSets do and wait for
  description: |
    Shows the next actions of a StatefulSet with their causes, what it waits
    for and what would help, and moves sets between kinds. It writes nothing
    unless a command says so, and needs no server.
  platforms:
{{- range .Downloads}}
    - selector:
        matchLabels:
          os: {{.OS}}
          arch: {{.Arch}}
      uri: https://github.com/setplan/setplan/releases/download/{{$.Version}}/{{.File}}
      sha256: {{.Sum}}
      bin: kubectl-setplan
      files:
        - from: kubectl-setplan
          to: .
        - from: LICENSE
          to: .
{{- end}}
