// Package muriref compares muri-sim with the simulator of Muri, 8 machines of 8 GPUs. A folder holds
//
//	TRACE__SCHEDULE.csv    job, end_s, ...: the end of every job to 1e-6 s, or 1e-9 of it: closer instants are one to that program (ends.go)
//	summary.csv            trace, schedule, mean_jct_s, makespan_s, p99_jct_s, as printed
//	packing_vectors.csv    groups: the time in the best order, and the used ratio
//	matching_vectors.csv   graphs: the weight of the best matching
//	authors_committed.csv  figures of the authors' plots
//
// TRACE.csv, stages and overheads, stages.csv, may stand in the folder or where the shared data has
// them. TRACE_pr is TRACE with all jobs submitted at 0. Muri's own schedules share GPUs among jobs:
// of these the mean completion time is compared, to 3 %, as another optimal matching changes a run.
package muriref

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tarry/fidelity/reference"
	"tarry/sim"
	"tarry/sim/cluster"
)

var muriFile = regexp.MustCompile(`^(.+)__(shortest|shortest-gpu|dlas-gpu|multi-resource-.+)\.csv$`)

const (
	muriSummary = "summary.csv"
	muriS       = 1e-6
	// muriStretch is by what that simulator multiplies the time of an iteration, in thousandths.
	muriStretch = 1015
)

// muriPolicies gives a schedule in tarry's words; "" = it is not among the baselines.
func muriPolicies(schedule string) string {
	switch schedule {
	case "shortest":
		return "srtf-sim:repack=true,place=lowest"
	case "shortest-gpu":
		return "srsf-sim:repack=true,place=lowest"
	case "dlas-gpu":
		return "tiresias-sim:queues=3250/7200,promote=0,place=skew,inside=pending-last,demote=whole,service=held"
	}
	return muriShares(schedule)
}

// Reader compares folders of results of that program.
func Reader() reference.Reader {
	return reference.Reader{Name: "muri", Variants: []string{"muri-sim", "tiresias-sim", "srtf-sim", "srsf-sim"},
		Knows: isMuri, Compare: compareMuri}
}

// outcome gathers how a folder compares.
type outcome struct{ reference.Outcome }

func isMuri(f *reference.Folder) bool {
	return slices.ContainsFunc(f.Files, muriFile.MatchString) || slices.Contains(f.Files, muriPacking) ||
		slices.Contains(f.Files, muriMatching)
}

// muriRuns runs each trace and schedule once.
type muriRuns struct {
	f        *reference.Folder
	overhead map[string]sim.Time // model and GPUs
	stages   string              // stages.csv
	done     map[[2]string]map[string]reference.Life
}

func compareMuri(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o := outcome{reference.Outcome{Unit: "s"}}
	m := muriRuns{f: f, overhead: map[string]sim.Time{}, done: map[[2]string]map[string]reference.Life{}}
	if err := m.readOverheads(); err != nil {
		return o.Outcome, err
	}
	for _, name := range f.Files {
		if at := muriFile.FindStringSubmatch(name); at != nil {
			compare := o.muriEnds
			if muriShares(at[2]) != "" {
				compare = o.muriMean
			} else if muriPolicies(at[2]) == "" {
				o.Leave("ends", name, 0, "the schedule "+at[2]+" is not among the baselines")
				continue
			}
			if err := compare(ctx, &m, name, at[1], at[2]); err != nil {
				o.Short = append(o.Short, fmt.Sprintf("%s: %v", name, err))
			}
		} else if strings.Contains(name, "__") {
			o.Leave("ends", name, 0, "its schedule is not among the baselines")
		}
	}
	if slices.Contains(f.Files, muriSummary) {
		if err := o.muriMeans(ctx, &m); err != nil {
			o.Short = append(o.Short, err.Error())
		}
	}
	o.muriShared(ctx, &m)
	return o.Outcome, ctx.Err()
}

func (m *muriRuns) readOverheads() error {
	path, err := m.f.Find("stages.csv", "profiles/muri")
	if err != nil {
		return err
	}
	m.stages = path
	r, err := reference.ReadRows(path, "model", "num_gpu", "start_overhead_s")
	if err != nil {
		return err
	}
	for i := range r.Cells {
		s, err := r.Number(i, "start_overhead_s")
		if err != nil {
			return err
		}
		m.overhead[r.Text(i, "model")+" on "+r.Text(i, "num_gpu")] = sim.Seconds(s)
	}
	return nil
}

// muriMeans compares the rows of the summary: mean and 99th percentile of the completion times, and
// the last end.
func (o *outcome) muriMeans(ctx context.Context, m *muriRuns) error {
	s, err := reference.ReadRows(filepath.Join(m.f.Dir, muriSummary), "trace", "schedule", "mean_jct_s", "makespan_s",
		"p99_jct_s")
	if err != nil {
		return err
	}
	for i := range s.Cells {
		trace, schedule := s.Text(i, "trace"), s.Text(i, "schedule")
		if muriPolicies(schedule) == "" {
			o.Leave("means", muriSummary, 1, fmt.Sprintf("the schedule %s is not among the baselines", schedule))
			continue
		}
		got, err := m.run(ctx, trace, schedule)
		if err != nil {
			o.One("means", muriSummary, false)
			o.Short = append(o.Short, fmt.Sprintf("%s, row %d: %v", muriSummary, i+1, err))
			continue
		}
		if muriShares(schedule) != "" {
			if err := o.muriNear(s, i, muriSummary, fmt.Sprintf("%s, row %d: %s, %s", muriSummary, i+1, trace,
				schedule), got); err != nil {
				return err
			}
			continue
		}
		worst, far := 0.0, 0.0
		for c, x := range muriFigures(got) {
			want, err := s.Number(i, c)
			if err != nil {
				return err
			}
			d := math.Abs(x - want)
			worst, far = max(worst, d), max(far, d/muriSame(want))
		}
		o.Worst = max(o.Worst, worst)
		line := fmt.Sprintf("%s, row %d: %s, %s differs by %.3g s", muriSummary, i+1, trace, schedule, worst)
		switch o.One("means", muriSummary, far <= 1); {
		case far <= 1:
		case len(got) > muriLarge && worst <= muriMerged*muriFigures(got)["mean_jct_s"]:
			o.Beyond = append(o.Beyond, line+muriWhy)
		default:
			o.Short = append(o.Short, line)
		}
	}
	return nil
}

func muriFigures(got map[string]reference.Life) map[string]float64 {
	jct, last := make([]float64, 0, len(got)), 0.0
	for _, l := range got {
		jct, last = append(jct, l.End-l.Submit), max(last, l.End)
	}
	slices.Sort(jct) // so that the sum does not depend on the order of a map
	sum := 0.0
	for _, x := range jct {
		sum += x
	}
	n := float64(len(jct))
	return map[string]float64{"mean_jct_s": sum / n, "makespan_s": last, "p99_jct_s": jct[int(0.99*n)]}
}

// run runs a trace with a schedule, or gives what that gave before.
func (m *muriRuns) run(ctx context.Context, trace, schedule string) (map[string]reference.Life, error) {
	key := [2]string{trace, schedule}
	if got, ok := m.done[key]; ok {
		return got, nil
	}
	base, together := strings.CutSuffix(trace, "_pr")
	path, err := m.f.Find(base+".csv", "traces/muri")
	if err != nil {
		return nil, err
	}
	list, err := reference.ReadRows(path, "job_id", "num_gpu", "submit_time", "iterations", "model_name", "iteration_time")
	if err != nil {
		return nil, err
	}
	jobs, err := m.jobs(list, together)
	if err != nil {
		return nil, err
	}
	w, err := sim.NewWorkload(trace, jobs)
	if err != nil {
		return nil, err
	}
	top, err := cluster.New(cluster.Uniform(1, 8, 8, 1))
	if err != nil {
		return nil, err
	}
	if spec := muriShares(schedule); spec != "" {
		if m.done[key], err = m.shared(ctx, w, top, spec, list); err != nil {
			return nil, err
		}
		return m.done[key], nil
	}
	lives, err := m.f.Play(ctx, w, top, muriPolicies(schedule), func(p sim.Policy) {
		p.(interface {
			Interrupt(func(*sim.View, sim.JobID) sim.Time)
		}).Interrupt(func(v *sim.View, j sim.JobID) sim.Time {
			return m.overhead[fmt.Sprintf("%s on %d", v.Job(j).Model(), v.Job(j).GPUs())]
		})
	})
	if err != nil {
		return nil, err
	}
	got := make(map[string]reference.Life, len(lives))
	for i := range list.Cells {
		got[list.Text(i, "job_id")] = lives[fmt.Sprintf("%09d", i)]
	}
	m.done[key] = got
	return got, nil
}

// jobs gives the jobs of a list, in its order where they are submitted together. Times are in
// milliseconds.
func (m *muriRuns) jobs(list *reference.Rows, together bool) ([]sim.Job, error) {
	jobs := make([]sim.Job, 0, len(list.Cells))
	for i := range list.Cells {
		n, err1 := list.Number(i, "num_gpu")
		submit, err2 := list.Number(i, "submit_time")
		times, err3 := list.Number(i, "iterations")
		each, err4 := list.Number(i, "iteration_time")
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			return nil, err
		}
		run := math.Round(times * each * muriStretch) // microseconds
		if n != math.Trunc(n) || n < 1 || n > 1e6 || !(submit >= 0 && submit <= 1e15) || !(run >= 1 && run <= 1e17/n) {
			return nil, fmt.Errorf("%s: row %d: %v GPUs, submit %v ms, %v iterations of %v ms, expected 1..1e6 "+
				"GPUs, 0..1e15 ms and a run of 1e-6 s or more", list.File, i+1, n, submit, times, each)
		}
		j := sim.Job{ID: fmt.Sprintf("%09d", i), Model: list.Text(i, "model_name"), GPUs: int32(n),
			Work: sim.Time(run) * sim.Time(n)}
		if list.At["duration"] > 0 && list.Text(i, "duration") != "" {
			d, err := list.Number(i, "duration")
			if err != nil {
				return nil, err
			}
			j.Request = sim.Seconds(d / 1000)
		}
		j.Iterations, j.IterS = int64(times), float64(each*muriStretch)/1e6*n
		if !together {
			j.Submit = sim.Seconds(submit / 1000)
		}
		if _, ok := m.overhead[j.Model+" on "+list.Text(i, "num_gpu")]; !ok {
			return nil, fmt.Errorf("%s: row %d: no overhead of %s on %v GPUs in stages.csv", list.File, i+1, j.Model, n)
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}
