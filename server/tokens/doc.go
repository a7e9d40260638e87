// Package tokens finds out which service account a bearer token belongs to, for adapters in the server's own cluster: it asks the API
// server with a TokenReview. A planner sends no other request to a cluster, so this is plain HTTP, without a library of Kubernetes.
package tokens
