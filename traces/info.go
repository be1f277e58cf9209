package traces

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/traces/knowable"
)

// Stats describes a workload. Times are seconds; a run is a job's work over its GPUs (a share as a
// part of one).
type Stats struct {
	Name string
	Jobs int
	// Users, Groups, VCs and Models count distinct names; jobs without one do not count.
	Users, Groups, VCs, Models int
	// Requests counts the jobs whose user asked for a run time, and RequestP50 is the median of
	// request over run among them.
	Requests   int
	RequestP50 float64
	// Recorded counts the jobs whose start the trace records, WaitMeanS is their mean wait, and Placed
	// counts the jobs with machines.
	Recorded, Placed int
	WaitMeanS        float64
	// SpanS is from the first to the last submit.
	SpanS float64
	// GPUsMean and GPUsMax describe the demand; Demands counts jobs by demand, rising.
	GPUsMean float64
	GPUsMax  int32
	Demands  []Demand
	// Elastic counts the jobs that can run on several numbers of GPUs, Workers the jobs in workers
	// of several GPUs.
	Elastic, Workers int
	// GPUTypes counts the jobs that name a GPU type, by its name, in upper or lower case, as it
	// stands first; empty where none does.
	GPUTypes []TypeDemand
	// Run times: mean, quantiles and the longest.
	RunMeanS, RunP50S, RunP90S, RunP99S, RunMaxS float64
	// WorkGPUH is the sum of all work in GPU-hours.
	WorkGPUH float64
	// Known states what a predictor can know of run times at the submit.
	Known knowable.Report
	// Drawn names the fields that a rule filled in, for any job.
	Drawn string
	// Origins states where fields came from.
	Origins []origin.Origin
}

// Demand is how many jobs ask for a number of GPUs, and their mean run. Elastic of them are
// elastic, on Least to Most GPUs, all ranges taken together.
type Demand struct {
	GPUs        int32
	Jobs        int
	RunMeanS    float64
	Elastic     int
	Least, Most int32
}

// add counts a job.
func (d *Demand) add(j *sim.Job, run float64) {
	d.Jobs++
	d.RunMeanS += run
	if lo, hi := j.Range(); lo < hi {
		if d.Elastic++; d.Elastic == 1 {
			d.Least, d.Most = lo, hi
		}
		d.Least, d.Most = min(d.Least, lo), max(d.Most, hi)
	}
}

// TypeDemand is how many jobs ask for GPUs of a type, and their work.
type TypeDemand struct {
	Type     string
	Jobs     int
	WorkGPUH float64
}

// Info computes the statistics of a workload.
func Info(w *sim.Workload) Stats {
	s := Stats{Name: w.Name, Jobs: len(w.Jobs), Origins: w.Origins}
	if len(w.Jobs) == 0 {
		return s
	}
	first, last := w.Span()
	s.SpanS = (last - first).Seconds()
	users, groups, vcs, models := names{}, names{}, names{}, names{}
	var factors []float64
	byGPUs, byType := map[int32]*Demand{}, map[string]*TypeDemand{}
	runs := make([]float64, len(w.Jobs))
	var drawn origin.Field
	var gpus int64
	for i := range w.Jobs {
		j := &w.Jobs[i]
		run := j.Work.Seconds() / j.Width()
		runs[i] = run
		s.RunMeanS += run
		users.add(j.User)
		groups.add(j.Group)
		if j.Request > 0 {
			factors = append(factors, j.Request.Seconds()/run)
		}
		vcs.add(j.VC)
		models.add(j.Model)
		d := byGPUs[j.GPUs]
		if d == nil {
			d = &Demand{GPUs: j.GPUs}
			byGPUs[j.GPUs] = d
		}
		d.add(j, run)
		if j.WorkerGPUs > 1 {
			s.Workers++
		}
		gpus += int64(j.GPUs)
		s.WorkGPUH += j.Work.Seconds() / 3600
		if j.GPUType != "" {
			typ := strings.ToLower(j.GPUType)
			if byType[typ] == nil {
				byType[typ] = &TypeDemand{Type: j.GPUType}
			}
			byType[typ].Jobs++
			byType[typ].WorkGPUH += j.Work.Seconds() / 3600
		}
		drawn |= j.Drawn
	}
	for _, d := range byGPUs {
		d.RunMeanS /= float64(d.Jobs)
		s.Elastic += d.Elastic
		s.Demands = append(s.Demands, *d)
	}
	slices.SortFunc(s.Demands, func(a, b Demand) int { return cmp.Compare(a.GPUs, b.GPUs) })
	for _, name := range slices.Sorted(maps.Keys(byType)) {
		s.GPUTypes = append(s.GPUTypes, *byType[name])
	}
	slices.Sort(runs)
	n := float64(len(runs))
	s.RunMeanS /= n
	s.RunP50S, s.RunP90S, s.RunP99S, s.RunMaxS = quantile(runs, 0.5), quantile(runs, 0.9), quantile(runs, 0.99),
		runs[len(runs)-1]
	s.GPUsMean, s.GPUsMax = float64(gpus)/n, s.Demands[len(s.Demands)-1].GPUs
	s.Users, s.Groups, s.VCs, s.Models = len(users), len(groups), len(vcs), len(models)
	if s.Requests = len(factors); s.Requests > 0 {
		slices.Sort(factors)
		s.RequestP50 = quantile(factors, 0.5)
	}
	s.ofLog(w)
	s.Drawn = drawn.String()
	return s
}

type names map[string]struct{}

func (n names) add(s string) {
	if s != "" {
		n[s] = struct{}{}
	}
}

// ofLog counts what the trace's own cluster did with the jobs, and sets what it lets a predictor
// know.
func (s *Stats) ofLog(w *sim.Workload) {
	for i := range w.Jobs {
		r := w.Jobs[i].Record
		if r == nil {
			continue
		}
		s.Recorded++
		s.WaitMeanS += sim.Time(r.Wait).Seconds()
		if r.Machines != "" {
			s.Placed++
		}
	}
	s.WaitMeanS /= float64(max(s.Recorded, 1))
	s.Known = knowable.Of(w)
}

// tableOfLog adds the row of what the trace's own cluster did.
func (s *Stats) tableOfLog(row func(key, format string, args ...any)) {
	if s.Recorded > 0 {
		row("started in the log", "%.1f %% of the jobs, mean wait %.1f s; machines of %d",
			100*float64(s.Recorded)/float64(s.Jobs), s.WaitMeanS, s.Placed)
	}
}

// quantile is the smallest value that a share p of the sorted values does not exceed.
func quantile(sorted []float64, p float64) float64 {
	k := int(math.Ceil(float64(p*float64(len(sorted))))) - 1
	return sorted[max(0, min(k, len(sorted)-1))]
}

// hundredths rounds, so that a little less than 0 is not printed as -0.00.
func hundredths(x float64) float64 { return math.Round(x*100)/100 + 0 }

// Load is the share of so many GPUs that the work fills between the first and the last
// submit; +Inf when all jobs come at once.
func (s *Stats) Load(gpus int) float64 {
	return s.WorkGPUH * 3600 / (s.SpanS * float64(gpus))
}

// Table gives the statistics as text, with the load on that many GPUs when gpus > 0.
func (s *Stats) Table(gpus int) string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	row := func(key, format string, args ...any) { fmt.Fprintf(t, "%s\t%s\n", key, fmt.Sprintf(format, args...)) }
	row("workload", "%s", s.Name)
	row("jobs", "%d", s.Jobs)
	row("users, groups, vcs, models", "%d, %d, %d, %d", s.Users, s.Groups, s.VCs, s.Models)
	if s.Requests > 0 {
		row("requests", "%.1f %% of the jobs, median %.2f x the run", 100*float64(s.Requests)/float64(s.Jobs),
			s.RequestP50)
	}
	s.tableOfLog(row)
	row("span", "%.0f s (%.1f days)", s.SpanS, s.SpanS/86400)
	row("GPUs per job", "mean %.2f, max %d", s.GPUsMean, s.GPUsMax)
	if s.Elastic > 0 {
		row("elastic", "%d jobs (%.1f %%); ranges by demand below", s.Elastic, 100*float64(s.Elastic)/float64(s.Jobs))
	}
	if s.Workers > 0 {
		row("in workers of several GPUs", "%d jobs (%.1f %%)", s.Workers, 100*float64(s.Workers)/float64(s.Jobs))
	}
	row("run", "mean %.0f s, p50 %.0f, p90 %.0f, p99 %.0f, max %.0f", s.RunMeanS, s.RunP50S, s.RunP90S, s.RunP99S,
		s.RunMaxS)
	row("work", "%.1f GPU-hours", s.WorkGPUH)
	switch {
	case s.SpanS > 0:
		row("mean GPUs busy", "%.1f without queueing", s.Load(1))
		if gpus > 0 {
			row("load", "%.3f on %d GPUs", s.Load(gpus), gpus)
		}
	case s.Jobs > 0:
		row("load", "all jobs are submitted at once")
	}
	if k := &s.Known; len(k.Sources) > 0 {
		row("log run time", "spread %.2f in the last 30 %% (%d jobs); known out of sample, from the first 60 %% "+
			"(%d jobs):", k.Spread, k.Test, k.Fit)
		for _, src := range k.Sources {
			row("  from "+src.Name, "R2 %.2f, spread left %.2f", hundredths(src.R2), src.Spread)
		}
		if s.Users > 1 {
			row("  new users", "%.0f %% of the last jobs", 100*k.NewUsers)
		}
	}
	for _, d := range s.Demands {
		ranges := ""
		if d.Elastic > 0 {
			ranges = fmt.Sprintf("; %d elastic, %d to %d GPUs", d.Elastic, d.Least, d.Most)
		}
		row(fmt.Sprintf("  %d GPUs", d.GPUs), "%d jobs (%.1f %%), mean run %.0f s%s", d.Jobs,
			100*float64(d.Jobs)/float64(s.Jobs), d.RunMeanS, ranges)
	}
	none := s.Jobs
	for _, d := range s.GPUTypes {
		row("  on "+d.Type, "%d jobs (%.1f %%), %.1f GPU-hours", d.Jobs, 100*float64(d.Jobs)/float64(s.Jobs),
			d.WorkGPUH)
		none -= d.Jobs
	}
	if len(s.GPUTypes) > 0 && none > 0 {
		row("  on any type", "%d jobs (%.1f %%)", none, 100*float64(none)/float64(s.Jobs))
	}
	if s.Drawn != "" {
		row("drawn by rule", "%s", s.Drawn)
	}
	for _, o := range s.Origins {
		row("  "+o.Field, "%s", o.Source)
	}
	t.Flush() // to memory: cannot fail
	return b.String()
}
