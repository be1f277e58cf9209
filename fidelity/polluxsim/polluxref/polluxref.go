// Package polluxref compares the schedulers of Pollux' simulator with their runs there. Pollux itself
// has no habits of that program as settings; --preset pollux has its hardware, costs and clock, and
// what Tiresias and Optimus do otherwise in it. A folder holds files
//
//	WORKLOAD__POLICY.csv  job, submit_s, end_s, jct_s, restarts, gpu_seconds: every job of one run
//	authors_jct.csv       policy, load, workload, job, jct_s: published completion times
//	authors_means.csv     policy, setting, workload, jobs, mean_jct_s: published means; a setting is loadLOAD, or a variant of Pollux
//	summary.csv           workload, load, policy, mean_jct_s, last_end_s, p99_jct_s, restarts, attained_gpu_seconds: of the stored runs
//
// The workload is WORKLOAD.csv, or loadLOAD-workload-N.csv, in the folder or in traces/pollux; the
// profiles are from profiles/pollux-sim. Under Tiresias and Optimus every completion time and every
// number of restarts must agree, and the means follow. Pollux draws, and no seeds are published:
// the mean of polluxSeeds runs must be within 5 % (of the published ones, at load 1.0), and the
// jobs one by one are not compared.
package polluxref

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tarry/fidelity/reference"
	"tarry/run/config"
	"tarry/sim"
)

var polluxJobs = regexp.MustCompile(`^(.+)__(tiresias|optimus|pollux)\.csv$`)

const (
	polluxPublished = "authors_jct.csv"
	polluxMeans     = "authors_means.csv"
	polluxWithin    = 0.05
	polluxClose     = 1e-3 // s
)

// Reader compares folders of results of Pollux' simulator.
func Reader() reference.Reader {
	return reference.Reader{
		Name: "pollux", Variants: []string{"pollux-optimus", "tiresias-sim"}, Knows: isPollux, Compare: comparePollux,
	}
}

// outcome gathers how a folder compares.
type outcome struct{ reference.Outcome }

func isPollux(f *reference.Folder) bool {
	if slices.Contains(f.Files, polluxPublished) {
		return true
	}
	return slices.ContainsFunc(f.Files, func(name string) bool {
		if !polluxJobs.MatchString(name) {
			return false
		}
		_, err := reference.ReadRows(filepath.Join(f.Dir, name), "job", "jct_s", "restarts", "gpu_seconds")
		return err == nil
	})
}

// polluxRun is what is wanted of one policy on one workload: completion times, and restarts and
// GPU-seconds where they are stored.
type polluxRun struct {
	policy, trace string
	jct           map[string]float64
	restarts      map[string]float64
	service       map[string]float64
	from          string
}

func comparePollux(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o := outcome{reference.Outcome{Unit: "s"}}
	runs, err := polluxRuns(f)
	if err != nil {
		return o.Outcome, err
	}
	done := map[string]map[string]polluxLife{} // policy and trace -> what became of the jobs
	for _, r := range runs {
		compare := o.polluxRun
		if r.policy == "pollux" { // it draws
			if r.from == polluxPublished { // authors_means.csv has their means
				o.Leave("completion times", r.from, len(r.jct), "Pollux draws, and no seeds are published: means "+
					"are compared")
				continue
			}
			compare = o.polluxDrawn
		}
		if err := compare(ctx, f, r, done); err != nil {
			if ctx.Err() != nil {
				return o.Outcome, ctx.Err()
			}
			o.Short = append(o.Short, fmt.Sprintf("%s: %s on %s: %v", r.from, r.policy, r.trace, err))
		}
	}
	for _, name := range f.Files {
		if strings.Contains(name, "__") && !o.Said(name) {
			o.Leave("jobs", name, 0, "their policy is not modelled")
		}
	}
	if err := cmp.Or(o.polluxSummary(f, done), o.polluxMeans(ctx, f, done), ctx.Err()); err != nil {
		return o.Outcome, err
	}
	return o.Outcome, nil
}

// polluxRuns lists the runs of a folder: those stored, then those published alone.
func polluxRuns(f *reference.Folder) ([]*polluxRun, error) {
	var out []*polluxRun
	for _, name := range f.Files {
		m := polluxJobs.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		rows, err := reference.ReadRows(filepath.Join(f.Dir, name), "job", "jct_s", "restarts", "gpu_seconds")
		if err != nil {
			return nil, err
		}
		r := &polluxRun{policy: m[2], trace: m[1], from: name, jct: map[string]float64{},
			restarts: map[string]float64{}, service: map[string]float64{}}
		for i := range rows.Cells {
			for _, c := range []struct {
				column string
				to     map[string]float64
			}{{"jct_s", r.jct}, {"restarts", r.restarts}, {"gpu_seconds", r.service}} {
				if c.to[rows.Text(i, "job")], err = rows.Number(i, c.column); err != nil {
					return nil, err
				}
			}
		}
		out = append(out, r)
	}
	if !slices.Contains(f.Files, polluxPublished) {
		return out, nil
	}
	rows, err := reference.ReadRows(filepath.Join(f.Dir, polluxPublished), "policy", "load", "workload", "job", "jct_s")
	if err != nil {
		return nil, err
	}
	at := map[string]*polluxRun{}
	for i := range rows.Cells {
		trace, policy := polluxTraceOf(rows.Text(i, "load"), rows.Text(i, "workload")), rows.Text(i, "policy")
		r := at[policy+trace]
		if r == nil {
			r = &polluxRun{policy: policy, trace: trace, from: polluxPublished, jct: map[string]float64{}}
			at[policy+trace] = r
			out = append(out, r)
		}
		if r.jct[rows.Text(i, "job")], err = rows.Number(i, "jct_s"); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// polluxTraceOf names the workload of a load.
func polluxTraceOf(load, workload string) string {
	if load == "1.0" {
		return "workload-" + workload
	}
	return "load" + load + "-workload-" + workload
}

// polluxConfig is a run under the preset.
func polluxConfig(f *reference.Folder, policy, trace string) (config.Config, error) {
	c := config.Default()
	file, err := f.Find(trace+".csv", "traces/pollux")
	if err != nil {
		return c, err
	}
	table, err := f.Find("validation.csv", "profiles/pollux-sim")
	if err != nil {
		return c, err
	}
	if err := c.ApplyPreset("pollux"); err != nil {
		return c, err
	}
	c.Trace, c.Speed, c.Policies = "pollux:"+file, "pollux:"+filepath.Dir(table), []string{policy}
	if strings.HasPrefix(policy, "pollux") { // its placement is an array by machine
		c.Speed += ",ring=machine"
	}
	return c, nil
}

// attained adds up for how long jobs held how many GPUs, in GPU-seconds by JobID.
type attained struct{ of map[sim.JobID]float64 }

func (a *attained) Interval(i *sim.Interval) {
	a.of[i.Job] += float64((i.End - i.Start).Seconds() * float64(len(i.GPUs)))
}
func (a *attained) Job(*sim.Record)    {}
func (a *attained) Instant(*sim.Gauge) {}

// polluxLife is what became of a job.
type polluxLife struct{ end, jct, restarts, service float64 }

// polluxSimulate runs a configuration.
func polluxSimulate(ctx context.Context, f *reference.Folder, c config.Config) (map[string]polluxLife, error) {
	held := &attained{map[sim.JobID]float64{}}
	e, _, w, err := f.Drive(ctx, c, held)
	if err != nil {
		return nil, err
	}
	out := make(map[string]polluxLife, len(w.Jobs))
	for i := range w.Jobs {
		r := e.Record(sim.JobID(i))
		out[w.Jobs[i].ID] = polluxLife{reference.Seconds(r.End), reference.Seconds(r.End) - w.Jobs[i].Submit.Seconds(),
			float64(r.Allocations - 1), held.of[sim.JobID(i)]}
	}
	return out, nil
}

// polluxRun compares each job of a run, and notes what became of them.
func (o *outcome) polluxRun(ctx context.Context, f *reference.Folder, r *polluxRun,
	done map[string]map[string]polluxLife) error {
	c, err := polluxConfig(f, r.policy, r.trace)
	if err != nil {
		o.Many("completion times", r.from, 0, len(r.jct))
		return err
	}
	got, err := polluxSimulate(ctx, f, c)
	if err != nil {
		o.Many("completion times", r.from, 0, len(r.jct))
		return err
	}
	done[r.policy+" "+r.trace] = got
	bad := map[string][]string{}
	one := func(what, job string, got, want, within float64) {
		d := math.Abs(got - want)
		if math.IsNaN(d) {
			d = math.Inf(1)
		}
		if o.One(what, r.from, d <= within); d <= within {
			return
		}
		bad[what] = append(bad[what], fmt.Sprintf("%s %.6g, there %.6g", job, got, want))
		if what == "completion times" {
			o.Worst = max(o.Worst, d)
		}
	}
	for _, job := range slices.Sorted(maps.Keys(r.jct)) {
		l, ok := got[job]
		if !ok {
			o.One("completion times", r.from, false)
			bad["completion times"] = append(bad["completion times"], job+", which the trace has not")
			continue
		}
		one("completion times", job, l.jct, r.jct[job], polluxClose)
		if r.restarts != nil {
			one("restarts", job, l.restarts, r.restarts[job], 0)
			one("GPU-seconds", job, l.service, r.service[job], polluxClose)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(bad)) {
		o.Short = append(o.Short, fmt.Sprintf("%s: %s on %s: %d %s differ: %s", r.from, r.policy, r.trace,
			len(bad[what]), what, strings.Join(bad[what][:min(3, len(bad[what]))], "; ")))
	}
	return nil
}
