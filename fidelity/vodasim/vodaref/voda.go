// Package vodaref compares allocations of vodascheduler's eight algorithms. A folder holds files
// of JSON lines, a set of jobs each, with the GPUs that each algorithm as published gives to
// each job, and what corrected variants give. As published all are equal; one that the program's
// own check refuses may differ, and is then not counted. A corrected variant is equal, or
// reaches the stored sum of speeds with allocations within the bounds of the jobs.
package vodaref

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tarry/baselines/voda/allocate"
	"tarry/fidelity/reference"
)

// vodaCase is a line.
type vodaCase struct {
	GPUs      int
	Jobs      []vodaJob
	Published map[string]struct {
		Alloc    []int
		Violates []string
		Panic    string
	}
	Corrected map[string]json.RawMessage
}

type vodaJob struct {
	Min, Max, Num, Priority int
	Submit                  int64
	FirstStart              int64 `json:"first_start"`
	Remaining               float64
	Speedup                 []float64
}

// vodaNames are the published names of the algorithms.
func vodaNames() map[string]allocate.Algorithm {
	return map[string]allocate.Algorithm{"FIFO": allocate.FIFO, "ElasticFIFO": allocate.ElasticFIFO,
		"SRJF": allocate.SRJF, "ElasticSRJF": allocate.ElasticSRJF,
		"Tiresias": allocate.Tiresias, "ElasticTiresias": allocate.ElasticTiresias,
		"FfDLOptimizer": allocate.FfDLOptimizer, "AFS-L": allocate.AFSL}
}

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Reader{Name: "voda", Variants: []string{"voda-sim"}, Knows: isVoda, Compare: compareVoda}
}

// outcome gathers how a folder compares.
type outcome struct{ reference.Outcome }

func isVoda(f *reference.Folder) bool {
	return f.AnyLine(func(line []byte) bool {
		var fields map[string]json.RawMessage
		return json.Unmarshal(line, &fields) == nil && fields["gpus"] != nil && fields["jobs"] != nil &&
			fields["published"] != nil
	})
}

func compareVoda(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o := outcome{reference.Outcome{Unit: "GPUs"}}
	for _, name := range f.Files {
		if !strings.HasSuffix(name, ".jsonl") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(f.Dir, name))
		if err != nil {
			return o.Outcome, err
		}
		skipped, n := 0, 0
		for line := range bytes.Lines(text) {
			if n++; len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			var c vodaCase
			if err := json.Unmarshal(line, &c); err != nil {
				return o.Outcome, fmt.Errorf("%s:%d: %w", name, n, err)
			}
			k, err := o.voda(&c, name, fmt.Sprintf("%s:%d", name, n))
			if skipped += k; err != nil {
				return o.Outcome, fmt.Errorf("%s:%d: %w", name, n, err)
			}
		}
		if skipped > 0 {
			o.Leave("published allocations", name, skipped, "the program ended there, or refused its own result")
		}
	}
	return o.Outcome, ctx.Err()
}

// voda compares a case; it gives the number of published allocations that are not counted.
func (o *outcome) voda(c *vodaCase, file, where string) (skipped int, err error) {
	jobs := make([]allocate.Job, len(c.Jobs))
	for i, j := range c.Jobs {
		jobs[i] = allocate.Job{Min: j.Min, Max: j.Max, Num: j.Num, Submit: j.Submit, FirstStart: j.FirstStart,
			Queue: j.Priority, Remaining: j.Remaining, Speedup: j.Speedup}
		if j.FirstStart < 0 {
			jobs[i].FirstStart = allocate.Never
		}
	}
	algorithms := vodaNames()
	for _, name := range sorted(c.Published) {
		p := c.Published[name]
		a, ok := algorithms[name]
		if !ok {
			return skipped, fmt.Errorf("algorithm %q is not known", name)
		}
		got := allocate.New(a, false).Allocate(jobs, c.GPUs, nil)
		if p.Panic != "" || len(p.Violates) > 0 && !slices.Equal(got, p.Alloc) {
			skipped++
			continue
		}
		o.allocation(file, got, p.Alloc, where+": "+name)
	}
	for _, name := range sorted(c.Corrected) {
		a, ok := algorithms[name]
		if !ok {
			return skipped, fmt.Errorf("algorithm %q is not known", name)
		}
		got := allocate.New(a, true).Allocate(jobs, c.GPUs, nil)
		if bytes.HasPrefix(c.Corrected[name], []byte("{")) {
			err = o.optimum(file, jobs, got, c.Corrected[name], where+": corrected "+name)
		} else {
			var want []int
			err = json.Unmarshal(c.Corrected[name], &want)
			o.allocation(file, got, want, where+": corrected "+name)
		}
		if err != nil {
			return skipped, err
		}
	}
	return skipped, nil
}

// sorted lists the keys of a map.
func sorted[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// allocation compares GPUs by job.
func (o *outcome) allocation(file string, got, want []int, what string) {
	good := slices.Equal(got, want)
	if o.One("allocations", file, good); good {
		return
	}
	o.Short = append(o.Short, fmt.Sprintf("%s: %v, there %v", what, got, want))
	for i := range got {
		if len(got) == len(want) {
			o.Worst = max(o.Worst, math.Abs(float64(got[i]-want[i])))
		} else {
			o.Worst = math.Inf(1)
		}
	}
}

// optimum compares how many jobs have GPUs and the sum of their speeds.
func (o *outcome) optimum(file string, jobs []allocate.Job, got []int, stored json.RawMessage, what string) error {
	var want struct {
		Kept  int     `json:"jobs_kept"`
		Total float64 `json:"total_speedup"`
	}
	if err := json.Unmarshal(stored, &want); err != nil {
		return err
	}
	good, kept, total := false, 0, 0.0
	defer func() { o.One("sums of speeds", file, good) }()
	for i, n := range got {
		if n == 0 {
			continue
		}
		if n < jobs[i].Min || n > jobs[i].Max {
			o.Short = append(o.Short, fmt.Sprintf("%s: job %d has %d GPUs, expected %d to %d", what, i, n, jobs[i].Min,
				jobs[i].Max))
			return nil
		}
		kept++
		total += jobs[i].Speedup[n]
	}
	if kept != want.Kept || math.Abs(total-want.Total) > 1e-9*max(1, want.Total) {
		o.Short = append(o.Short, fmt.Sprintf("%s: %d jobs at speed %v, there %d at %v", what, kept, total, want.Kept,
			want.Total))
		return nil
	}
	good = true
	return nil
}
