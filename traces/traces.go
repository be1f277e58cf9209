// Package traces has the workloads that tarry reads: every trace format is a package below it, and
// so is the generator, under one spelling, FORMAT:PATH or synth:NAME.
//
// Reading guide: a Format names a format and reads it, Catalogue.Open opens a workload by its name;
// catalogue/traces has the list. info.go describes a workload; write.go keeps one. What the formats
// share is in sim/tabular (rows), traces/intake (checks) and sim/account (rows kept and dropped).
package traces

import (
	"tarry/sim/account"
	"tarry/sim/entry"
)

// Options states how to open a workload. The zero value drops and counts wrong rows.
type Options = entry.TraceOptions

// Report is the account of what was read, kept and dropped.
type Report = account.Report

// Format is one format of a catalogue: its name, what its path is, its origin and its reader.
type Format = entry.Trace

// Catalogue lists formats in the order in which they are shown.
type Catalogue = entry.Traces
