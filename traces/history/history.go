// Package history reads a sample of earlier jobs' service, from which schedulers such as 2D-Gittins
// take the distribution of what a job will need.
//
// The file has a header with the column gpu_s and one job per row: the service that it had when it
// ended, GPUs x running time, in GPU-seconds. Commas or tabs part the columns; other columns are
// not looked at; empty lines are skipped; the order does not matter. It may be compressed by gzip
// or zstd.
package history

import (
	"fmt"
	"io"
	"slices"

	"tarry/sim"
	"tarry/sim/tabular"
)

const (
	// Most is the largest number of jobs in a sample.
	Most      = 1_000_000
	column    = "gpu_s"
	maxFaults = 20
	most      = int64(1e12) * int64(sim.Second)
)

// Read reads the file at path.
func Read(path string) ([]sim.Time, error) {
	f, err := tabular.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Parse(path, f)
}

// Parse reads a sample from r and gives it ascending, in GPU-microseconds; it holds at least one
// job. The name stands in errors, which join up to 20 faults with line, column, value and what was
// expected.
func Parse(name string, r io.Reader) ([]sim.Time, error) {
	in, err := tabular.Decode(name, r)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	rows := tabular.NewReader(name, in)
	if err := rows.Header(column); err != nil {
		return nil, err
	}
	var sample []sim.Time
	var faults []*tabular.Fault
	for len(faults) < maxFaults {
		row, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(row.Faults()) == 0 { // a broken row has no columns to look at
			if v, ok := tabular.ParseMicros(row.Text(column)); ok && v > 0 && v <= most {
				sample = append(sample, sim.Time(v))
			} else {
				row.Reject(column, "GPU-seconds > 0 and at most 1e12")
			}
		}
		for _, f := range row.Faults() {
			c := *f // the row is used again
			faults = append(faults, &c)
		}
		if len(sample) > Most {
			return nil, fmt.Errorf("%s:%d: more than %d jobs, expected at most that many", name, row.Line, Most)
		}
	}
	if err := tabular.Join(faults); err != nil {
		return nil, err
	}
	if len(sample) == 0 {
		return nil, fmt.Errorf("%s: no jobs, expected at least one row with %s", name, column)
	}
	slices.Sort(sample)
	return sample, nil
}
