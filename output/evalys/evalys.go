// Package evalys writes the jobs of trials as Batsim's output file PREFIX_jobs.csv, which the
// Python package evalys and other programs of Batsim read.
//
// A GPU is a resource, under its number. A job that kept its GPUs from its start to its end is one
// row. A job that was preempted, moved or resized is a row for each allocation, with #2, #3, ...
// behind its id from the second on, so that the resources of each row are held from its
// starting_time to its finish_time; such a row is submitted when the one before it ends, and only
// the last succeeds. requested_time is -1, which Batsim writes where a job has no walltime. Jobs
// that never had GPUs are REJECTED where the cluster or the policy refused them, and left out and
// counted where they still waited at the end.
package evalys

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tarry/output/results"
)

// ErrAsked is in every error about a folder without tables of jobs: a fault of the question.
var ErrAsked = errors.New("evalys")

// Exported is what Export wrote.
type Exported struct {
	// Files are the paths, in the order of the trials.
	Files []string
	// Parts counts jobs of several rows, Waiting jobs that are left out.
	Parts, Waiting int
}

// columns is the header, in the order of Batsim's documentation.
func columns() []string {
	return []string{"job_id", "workload_name", "profile", "submission_time", "requested_number_of_resources",
		"requested_time", "success", "final_state", "starting_time", "execution_time", "finish_time", "waiting_time",
		"turnaround_time", "stretch", "allocated_resources"}
}

// trial is one run: its jobs, and their allocations in the order of time.
type trial struct {
	jobs []results.Job
	held map[string][]results.Interval
}

// Export writes a file for each trial in the folder of tarry simulate, compare or eval below out.
func Export(ctx context.Context, dir, out string) (Exported, error) {
	var done Exported
	trials, err := read(ctx, dir)
	if err != nil {
		return done, err
	}
	keys := slices.SortedFunc(maps.Keys(trials), results.Keys.Compare)
	for i, name := range names(keys) {
		text, err := trials[keys[i]].text(&done)
		if err != nil {
			return done, fmt.Errorf("evalys: %w", err)
		}
		path := filepath.Join(out, name+"_jobs.csv")
		if err := results.WriteFile(path, text); err != nil {
			return done, fmt.Errorf("evalys: %w", err)
		}
		done.Files = append(done.Files, path)
	}
	return done, nil
}

// read reads the tables jobs and intervals of a folder.
func read(ctx context.Context, dir string) (map[results.Keys]*trial, error) {
	for _, table := range []string{"jobs", "intervals"} {
		if _, err := os.Stat(filepath.Join(dir, table)); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w: %s has no table %s, expected a folder of tarry simulate --out, compare --out or eval "+
				"--out with the tables jobs and intervals", ErrAsked, dir, table)
		}
	}
	trials := map[results.Keys]*trial{}
	of := func(k results.Keys) *trial {
		if trials[k] == nil {
			trials[k] = &trial{held: map[string][]results.Interval{}}
		}
		return trials[k]
	}
	err := results.ScanDir(ctx, filepath.Join(dir, "jobs"), func(rows []results.Job) error {
		for _, r := range rows {
			t := of(r.Keys)
			t.jobs = append(t.jobs, r)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("evalys: %w", err)
	}
	err = results.ScanDir(ctx, filepath.Join(dir, "intervals"), func(rows []results.Interval) error {
		for _, r := range rows {
			t := of(r.Keys)
			t.held[r.Job] = append(t.held[r.Job], r)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("evalys: %w", err)
	}
	return trials, nil
}

// names gives each trial a name by the keys in which trials differ: the policy, and others behind
// it.
func names(keys []results.Keys) []string {
	parts := func(k results.Keys) []string {
		return []string{k.Experiment, k.Cell, k.Trace, k.Cluster, k.Speed, k.Placement,
			"seed" + strconv.FormatUint(k.Seed, 10), "r" + strconv.FormatInt(k.Replicate, 10)}
	}
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = k.Policy
		for at, part := range parts(k) {
			if slices.ContainsFunc(keys, func(o results.Keys) bool { return parts(o)[at] != part }) {
				out[i] += "-" + part
			}
		}
		out[i] = strings.Map(func(r rune) rune {
			if r < ' ' || strings.ContainsRune("/\\:*?\"<>|, ", r) {
				return '_'
			}
			return r
		}, out[i])
		for n, name := 2, out[i]; slices.Contains(out[:i], out[i]); n++ {
			out[i] = name + "-" + strconv.Itoa(n)
		}
	}
	return out
}

// text writes the rows of a trial, by submission.
func (t *trial) text(done *Exported) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(columns()) // to memory: cannot fail
	slices.SortStableFunc(t.jobs, func(a, b results.Job) int { return cmp.Compare(a.Submit, b.Submit) })
	for _, j := range t.jobs {
		held := joined(t.held[j.ID])
		switch {
		case len(held) > 0:
		case j.Outcome == "refused" || j.Outcome == "rejected":
			w.Write(row(j, j.ID, j.Submit, nil, "REJECTED"))
			continue
		default:
			done.Waiting++
			continue
		}
		if len(held) > 1 {
			done.Parts++
		}
		submit := j.Submit
		for i := range held {
			id, state := j.ID, "COMPLETED_KILLED"
			if i > 0 {
				id += "#" + strconv.Itoa(i+1)
			}
			if i == len(held)-1 && !math.IsNaN(j.End) {
				state = "COMPLETED_SUCCESSFULLY"
			}
			w.Write(row(j, id, submit, &held[i], state))
			submit = held[i].End
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// joined puts allocations together that follow each other on the same GPUs.
func joined(held []results.Interval) []results.Interval {
	slices.SortStableFunc(held, func(a, b results.Interval) int { return cmp.Compare(a.Start, b.Start) })
	var out []results.Interval
	for _, h := range held {
		if n := len(out); n > 0 && out[n-1].End == h.Start && out[n-1].GPUList == h.GPUList {
			out[n-1].End = h.End
			continue
		}
		out = append(out, h)
	}
	return out
}

// row is one row; h is nil for a job that never ran.
func row(j results.Job, id string, submit float64, h *results.Interval, state string) []string {
	success := "0"
	if state == "COMPLETED_SUCCESSFULLY" {
		success = "1"
	}
	gpus, times, where := j.GPUs, make([]string, 6), ""
	if h != nil {
		gpus, where = h.GPUs, strings.ReplaceAll(h.GPUList, ",", " ")
		run, turnaround := h.End-h.Start, h.End-submit
		times = []string{number(h.Start), number(run), number(h.End), number(h.Start - submit), number(turnaround), ""}
		if run > 0 {
			times[5] = number(turnaround / run)
		}
	}
	out := []string{id, cmp.Or(j.Trace, "tarry"), cmp.Or(j.Model, "unknown"), number(submit),
		strconv.FormatInt(gpus, 10), "-1", success, state}
	return append(append(out, times...), where)
}

// number writes seconds to the microsecond.
func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
}
