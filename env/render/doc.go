// Package render shows an environment to people: as text, and as a picture.
//
// Reading guide. Text and Picture (render.go) take an environment with its last step. One over the
// simulator shows its cluster (cluster.go): each GPU with the job on it, and the jobs that wait;
// any other shows its observation.
package render
