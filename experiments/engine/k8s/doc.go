// Package k8s writes the cells of a sweep as an Indexed Job of Kubernetes.
//
// Reading guide. Run (k8s.go) is the engine, which talks to no cluster; manifest.go writes the Job.
package k8s
