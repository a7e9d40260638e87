// Package tokens finds out whose a bearer token is, for adapters in the server's own cluster: the API server says so in a TokenReview. That
// one request is all that a planner ever asks of a cluster, so it is plain HTTP, without a library of Kubernetes.
package tokens
