// Package roster reads the services of a run: the setting services.
//
// Reading guide: Parse (parse.go) reads a setting into a Rule: one service with a drawn load by its
// name, or a table with a service in each row (file.go). Rule.Model gives the services of a cluster.
package roster
