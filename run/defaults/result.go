package defaults

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
)

// Result is a row of docs/defaults.csv: a flip on a workload.
type Result struct {
	// Scheduler, Flip, Source and Workload name what was run.
	Scheduler, Flip, Source, Workload string
	// Replicates is the number of pairs.
	Replicates int
	// Default and Flipped are mean completion times in s of the jobs that end in both.
	Default, Flipped float64
	// Change is by how much the flip is longer, in percent: of the geometric mean over the
	// replicates of the ratio of the two means, so that each counts alike. Lo and Hi are its 95 %
	// interval, Student's on the logarithms; NaN with one replicate.
	Change, Lo, Hi float64
}

var head = []string{"scheduler", "flip", "source", "workload", "replicates", "default_jct_s", "flipped_jct_s",
	"change_percent", "lo_percent", "hi_percent"}

// ReadResults reads docs/defaults.csv.
func ReadResults(path string) ([]Result, error) {
	rows, err := read(path, head...)
	if err != nil {
		return nil, err
	}
	out := make([]Result, len(rows))
	for i, row := range rows {
		r := &out[i]
		r.Scheduler, r.Flip, r.Source, r.Workload = row[0], row[1], row[2], row[3]
		if r.Replicates, err = strconv.Atoi(row[4]); err != nil {
			return nil, fmt.Errorf("%s, line %d: replicates is %q, expected a number", path, i+2, row[4])
		}
		for k, to := range []*float64{&r.Default, &r.Flipped, &r.Change, &r.Lo, &r.Hi} {
			if *to, err = strconv.ParseFloat(row[5+k], 64); row[5+k] == "" {
				*to, err = math.NaN(), nil
			}
			if err != nil {
				return nil, fmt.Errorf("%s, line %d: %s is %q, expected a number", path, i+2, head[5+k], row[5+k])
			}
		}
	}
	return out, nil
}

// WriteResults writes docs/defaults.csv.
func WriteResults(path string, all []Result) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	rows := [][]string{head}
	for _, r := range all {
		row := []string{r.Scheduler, r.Flip, r.Source, r.Workload, strconv.Itoa(r.Replicates)}
		for k, x := range []float64{r.Default, r.Flipped, r.Change, r.Lo, r.Hi} {
			digits := 2
			if k < 2 {
				digits = 1
			}
			text := strconv.FormatFloat(x, 'f', digits, 64)
			switch {
			case math.IsNaN(x):
				text = ""
			case x < 0 && strings.Trim(text, "-0.") == "": // no -0.00
				text = text[1:]
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	if err := w.WriteAll(rows); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Close()
}
