// Package adasrsfref replays LWF-kappa and Ada-SRSF (arXiv 2002.10105) at the level of single
// all-reduces, with the tasks of several jobs one after the other on a GPU, and compares it with the
// authors' simulator and with another program of the same rules. It is no policy: the kernel's jobs
// are amounts of work, and policy lwf has what remains of the rules there.
//
// Reading guide: replay.go is the clock, the jobs and their tasks; rules.go the placement and which
// transfers may begin; this file reads a folder:
//
//	SET.jobs.csv     job, dnn, workers, iterations, submit_ms
//	SET.events.csv   placement, communication, job, jct_ms, gpus: rules in continuous time
//	SET.results.csv  the same of the authors' simulator, which steps by 1 ms
//	summary.csv      set, nodes, gpus_per_node, placement, communication, source, jobs, mean_jct_ms, last_end_ms
//
// The GPUs of each job are to be equal, its time to 1e-6 ms.
//
// # The slip
//
// A waiting job asks how much is left of the transfer it waits for. In the authors' simulator each
// such question counts the bytes of the last step once more, so transfers that others wait for end
// earlier. Communication adasrsf of its results has this (Rules.Slip), adasrsf-mended has not.
package adasrsfref

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tarry/fidelity/reference"
)

const (
	summary     = "summary.csv"
	jobsFile    = ".jobs.csv"
	eventsFile  = ".events.csv"
	resultsFile = ".results.csv"
	tolMS       = 1e-6
	roundedMS   = 0.0005 + 1e-9 // of three digits
)

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Reader{Name: "ada-srsf", Knows: knows, Compare: compare}
}

// knows reports whether a folder has a summary and sets of jobs.
func knows(f *reference.Folder) bool {
	_, err := summaryOf(f)
	return err == nil && len(f.Heads(jobsFile)) > 0
}

func summaryOf(f *reference.Folder) (*reference.Rows, error) {
	return reference.ReadRows(filepath.Join(f.Dir, summary), "set", "nodes", "gpus_per_node", "placement",
		"communication", "source", "mean_jct_ms", "last_end_ms")
}

// run names a run of a set.
type run struct {
	set, placement, communication string
	code                          bool
}

// outcome gathers how a folder compares; ran are its runs.
type outcome struct {
	reference.Outcome
	ran   map[run][]Result
	means map[run]float64
}

// compare replays every run that the summary names.
func compare(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o := outcome{reference.Outcome{Unit: "ms"}, map[run][]Result{}, map[run]float64{}}
	r, err := summaryOf(f)
	if err != nil {
		return o.Outcome, err
	}
	sets := map[string][]Job{}
	for _, set := range f.Heads(jobsFile) {
		if sets[set], err = readJobs(filepath.Join(f.Dir, set+jobsFile)); err != nil {
			return o.Outcome, err
		}
		o.Reads(set + jobsFile)
	}
	var order []run
	for row := range r.Cells {
		if ctx.Err() != nil {
			return o.Outcome, ctx.Err()
		}
		one := run{r.Text(row, "set"), r.Text(row, "placement"), r.Text(row, "communication"),
			r.Text(row, "source") == "code"}
		order = append(order, one)
		off, err := o.replay(r, row, one, sets[one.set])
		o.Value("runs", summary, row, off, roundedMS, err)
	}
	for _, name := range f.Files {
		set, code := strings.CutSuffix(name, resultsFile)
		if !code {
			var ok bool
			if set, ok = strings.CutSuffix(name, eventsFile); !ok {
				continue
			}
		}
		if err := o.jobs(filepath.Join(f.Dir, name), set, code); err != nil {
			return o.Outcome, err
		}
	}
	o.headline(order)
	return o.Outcome, nil
}

// readJobs reads a set; jobs are in the order of their numbers.
func readJobs(file string) (jobs []Job, err error) {
	r, err := reference.ReadRows(file, "job", "dnn", "workers", "iterations", "submit_ms")
	if err != nil {
		return nil, err
	}
	for row := range r.Cells {
		l := reference.Line{Rows: r, Row: row}
		if at := l.Count("job"); l.Err == nil && at != row {
			return nil, fmt.Errorf("%s: row %d: job %d, expected %d", file, row+1, at, row)
		}
		jobs = append(jobs, Job{r.Text(row, "dnn"), l.Count("workers"), l.Count("iterations"), l.Number("submit_ms")})
		if l.Err != nil {
			return nil, l.Err
		}
	}
	return jobs, nil
}

// replay plays the run of a row of the summary and gives how far its mean and last end are off.
func (o *outcome) replay(r *reference.Rows, row int, one run, jobs []Job) (float64, error) {
	rules, err := ParseRules(one.placement, one.communication, one.code)
	if err != nil {
		return math.NaN(), err
	}
	l := reference.Line{Rows: r, Row: row}
	nodes, gpus := l.Count("nodes"), l.Count("gpus_per_node")
	mean, last := l.Number("mean_jct_ms"), l.Number("last_end_ms")
	if l.Err != nil {
		return math.NaN(), l.Err
	}
	got, err := Replay(jobs, nodes, gpus, rules)
	if err != nil {
		return math.NaN(), err
	}
	o.ran[one] = got
	o.means[one] = Mean(got)
	end := 0.0
	for i, x := range got {
		end = max(end, jobs[i].SubmitMS+x.MS)
	}
	return max(math.Abs(o.means[one]-mean), math.Abs(end-last)), nil
}

// ParseRules are the rules that the names of a run stand for. The program's steps have its slip
// except where communication is adasrsf-mended.
func ParseRules(placement, communication string, code bool) (Rules, error) {
	r := Rules{Steps: code}
	if text, ok := strings.CutPrefix(placement, "lwf"); ok {
		var err error
		if r.Kappa, err = strconv.Atoi(text); err != nil || r.Kappa < 1 {
			return r, fmt.Errorf("placement %q, expected bp, lwf1, lwf2, ...", placement)
		}
	} else if placement != "bp" {
		return r, fmt.Errorf("placement %q, expected bp, lwf1, lwf2, ...", placement)
	}
	switch communication {
	case "adasrsf":
		r.Ada, r.Most, r.Slip = true, 2, code
		return r, nil
	case "adasrsf-mended":
		r.Ada, r.Most = true, 2
		return r, nil
	}
	n, err := strconv.Atoi(strings.TrimPrefix(communication, "srsf"))
	if !strings.HasPrefix(communication, "srsf") || err != nil || n < 1 {
		return r, fmt.Errorf("communication %q, expected srsf1, srsf2, ..., adasrsf or adasrsf-mended", communication)
	}
	r.Most = n
	return r, nil
}

// jobs compares a file of jobs.
func (o *outcome) jobs(file, set string, code bool) error {
	r, err := reference.ReadRows(file, "placement", "communication", "job", "jct_ms", "gpus")
	if err != nil {
		return err
	}
	for row := range r.Cells {
		off, err := o.job(r, row, o.ran[run{set, r.Text(row, "placement"), r.Text(row, "communication"), code}])
		o.Value("jobs", file, row, off, tolMS, err)
	}
	return nil
}

// job compares a row with the results of its run, and gives how far its time is off.
func (o *outcome) job(r *reference.Rows, row int, got []Result) (float64, error) {
	l := reference.Line{Rows: r, Row: row}
	at, ms := l.Count("job"), l.Number("jct_ms")
	if l.Err != nil {
		return math.NaN(), l.Err
	}
	if at < 0 || at >= len(got) {
		return math.NaN(), fmt.Errorf("job %d: no such job was replayed", at)
	}
	n := len(got[at].GPUs)
	var gpus []string
	for _, g := range got[at].GPUs {
		gpus = append(gpus, fmt.Sprintf("%d:%d", g[0], g[1]))
	}
	if want := r.Text(row, "gpus"); strings.Join(gpus, " ") != want {
		return math.Abs(got[at].MS - ms), fmt.Errorf("job %d: %d GPUs %v, there %s", at, n, gpus, want)
	}
	return math.Abs(got[at].MS - ms), nil
}

// Mean is the mean time of jobs.
func Mean(results []Result) (ms float64) {
	for _, x := range results {
		ms += x.MS
	}
	return ms / float64(len(results))
}

// headline adds what waiting for AdaDUAL gains over one transfer per node, as published and mended.
func (o *outcome) headline(order []run) {
	var gains [2][]float64
	for _, one := range order {
		if !one.code || one.communication != "srsf1" {
			continue
		}
		alone := o.means[one]
		text := fmt.Sprintf("%s, %s: mean %.0f ms for srsf1", one.set, one.placement, alone)
		for i, communication := range []string{"adasrsf", "adasrsf-mended", "srsf2"} {
			one.communication = communication
			mean, ok := o.means[one]
			if !ok {
				continue
			}
			gain := 100 * (mean/alone - 1)
			text += fmt.Sprintf(", %.0f (%+.1f %%) for %s", mean, gain, communication)
			if i < len(gains) {
				gains[i] = append(gains[i], gain)
			}
		}
		o.Beyond = append(o.Beyond, text)
	}
	for i, g := range gains {
		if slices.Sort(g); len(g) > 0 {
			o.Beyond = append(o.Beyond, fmt.Sprintf("median of %d: %+.1f %% %s", len(g), (g[len(g)/2]+g[(len(g)-1)/2])/2,
				[]string{"as published", "mended"}[i]))
		}
	}
}
