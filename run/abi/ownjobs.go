package abi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"

	"tarry/sim"
	"tarry/sim/entry"
	"tarry/traces/intake"
	"tarry/traces/parquetfmt"
)

// ownTrace is the name of the format of jobs that the caller hands over.
const ownTrace = "python"

// OwnJobs gives the spelling of a trace that is handed over as a Parquet file in memory: its
// contents decide it.
func OwnJobs(parquet []byte) string {
	sum := sha256.Sum256(parquet)
	return ownTrace + ":" + hex.EncodeToString(sum[:6])
}

// ownJobs is the format in which such jobs are read.
func ownJobs(parquet []byte) entry.Trace {
	return entry.Trace{Name: ownTrace, Doc: "jobs that the caller hands over",
		Open: func(path string, opt entry.TraceOptions) (*sim.Workload, *entry.Report, error) {
			return parquetfmt.Parse(ownTrace+":"+path, bytes.NewReader(parquet),
				intake.Options{Strict: opt.Strict, MaxJobs: opt.MaxJobs, Columns: opt.Columns})
		}, Table: []string{}}
}
