package cost

import (
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
)

// Run is a row of docs/cost.csv or docs/cost-growth.csv: one simulation.
type Run struct {
	// Scheduler is the policy as it was given.
	Scheduler string
	// GPUs is the size of the cluster, Jobs the number of jobs of the list.
	GPUs, Jobs int
	// Done is how many jobs had ended when the process did; below Jobs where it reached its limit.
	Done int
	// Seconds is the processor time of the process, the reading of the jobs included.
	Seconds float64
}

// Ended reports whether all jobs ended within the limit.
func (r Run) Ended() bool { return r.Done == r.Jobs }

// PerJob is the processor time per job that ended, in microseconds; 0 without one.
func (r Run) PerJob() float64 {
	if r.Done == 0 {
		return 0
	}
	return r.Seconds / float64(r.Done) * 1e6
}

var head = []string{"scheduler", "gpus", "jobs", "done", "cpu_s"}

// Read reads rows that Write wrote.
func Read(path string) ([]Run, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 || !slices.Equal(rows[0], head) {
		return nil, fmt.Errorf("%s: the head is not %v", path, head)
	}
	out := make([]Run, len(rows)-1)
	for i, row := range rows[1:] {
		r := &out[i]
		r.Scheduler = row[0]
		for k, to := range []*int{&r.GPUs, &r.Jobs, &r.Done} {
			if *to, err = strconv.Atoi(row[1+k]); err != nil || *to < 0 {
				return nil, fmt.Errorf("%s, line %d: %s is %q, expected a whole number from 0 on", path, i+2, head[1+k],
					row[1+k])
			}
		}
		if r.Seconds, err = strconv.ParseFloat(row[4], 64); err != nil || !(r.Seconds > 0) {
			return nil, fmt.Errorf("%s, line %d: cpu_s is %q, expected a number above 0", path, i+2, row[4])
		}
	}
	return out, nil
}

// Write writes rows as CSV.
func Write(path string, all []Run) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	rows := [][]string{head}
	for _, r := range all {
		rows = append(rows, []string{r.Scheduler, strconv.Itoa(r.GPUs), strconv.Itoa(r.Jobs), strconv.Itoa(r.Done),
			strconv.FormatFloat(r.Seconds, 'f', 2, 64)})
	}
	if err := csv.NewWriter(f).WriteAll(rows); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Close()
}
