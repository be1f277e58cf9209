// Package config turns a run's YAML file and flags into values: which jobs, which cluster, which
// speeds, which policies.
//
// Reading guide: Config (config.go) is everything that decides a result; File (file.go) reads it
// from YAML over a Config's present values, strictly; the scenario inside it is env/scenario's, the
// strict reader sim/param's; Build (build.go) opens and makes what the names stand for. The order
// of precedence:
//
//	defaults < preset < scenario file < file < flags
//
// Every fault is reported at once, each with its file, line, column, field, value and what was
// expected. The resolved configuration as JSON (Setup.JSON) goes into the metadata of every result;
// who reads it can repeat the run.
package config
