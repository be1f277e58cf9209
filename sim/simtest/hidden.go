package simtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"tarry/sim"
)

// Foresees reports whether a policy decides on the work that is left. It runs the policy on the
// drawn case of a seed (as in Try), then again with other work: every job that has not ended by
// some instant has 1.1 to 8 times the work, each its own factor. All else is the same: times of
// arrival, demands, estimates or the predictor before the run (Options.Predict), history (but see
// Options.OwnHistory), faults. Up to the first end of such a job a policy that does not know the
// work that is left cannot distinguish the two runs: every instant before it has the same events
// and the same decisions. what is the first instant that differs, "" when none does. The error
// states why a run failed.
//
// fresh gives a policy for a run over a workload; policies have no use for that workload, which is
// there for tests of this test.
func Foresees(fresh func(*sim.Workload) sim.Policy, seed uint64, o Options) (what string, err error) {
	cfg, err := drawCase(seed, o.Without, hardTraits(seed))
	if err != nil {
		return "", fmt.Errorf("drawing: %w", err)
	}
	if cfg.Workload, err = iterated(cfg.Workload); err != nil {
		return "", err
	}
	if o.Predict != nil {
		cfg.Estimate, cfg.Predictor = nil, o.Predict(cfg.Workload)
	} else if cfg.Estimate == nil {
		w := cfg.Workload
		cfg.Estimate = func(j sim.JobID) sim.Time { return w.Jobs[j].Work }
	}
	if o.OwnHistory {
		cfg.History = worksOf(cfg.Workload)
	}
	first, e, err := diaryOf(cfg, fresh(cfg.Workload))
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, describe(cfg))
	}
	r := rand.New(rand.NewPCG(seed, 0x1eaf))
	for _, after := range instantsOf(first) {
		other, until := cfg, sim.Never
		if other.Workload, until, err = longer(cfg.Workload, e, after, r); err != nil {
			return "", err
		}
		if o.Predict != nil {
			other.Predictor = o.Predict(other.Workload)
		}
		if o.OwnHistory {
			other.History = worksOf(other.Workload)
		}
		second, _, err := diaryOf(other, fresh(other.Workload))
		if err != nil {
			return "", fmt.Errorf("%w\n%s", err, describe(other))
		}
		if what := firstDifference(first, second, until); what != "" {
			return fmt.Sprintf("work changed of the jobs that end after %v, the first of them at %v:\n%s\n%s", after,
				until, what, describe(cfg)), nil
		}
	}
	return "", nil
}

// Differ runs a policy in two configurations and gives what is the first instant before a time that
// differs, "" when none does. A test that changes what is still to come by then, in a trace or in
// what is fitted on it, holds with it that nothing of that is seen.
func Differ(a, b sim.Config, fresh func() (sim.Policy, error), until sim.Time) (what string, err error) {
	var pages [2][]page
	for i, cfg := range []sim.Config{a, b} {
		p, err := fresh()
		if err != nil {
			return "", err
		}
		if pages[i], _, err = diaryOf(cfg, p); err != nil {
			return "", err
		}
	}
	return firstDifference(pages[0], pages[1], until), nil
}

// worksOf is the work of all jobs, ascending.
func worksOf(w *sim.Workload) (out []sim.Time) {
	for i := range w.Jobs {
		out = append(out, w.Jobs[i].Work)
	}
	slices.Sort(out)
	return out
}

// page is what happened at an instant and what was decided.
type page struct {
	at   sim.Time
	text string
}

// diary writes down what a policy sees happen and what it decides.
type diary struct {
	sim.Policy
	pages []page
}

// Decide implements sim.Policy.
func (d *diary) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	text := fmt.Sprintf("events %+v\n", v.Events())
	out = d.Policy.Decide(v, out)
	d.pages = append(d.pages, page{v.Now(), text + fmt.Sprintf("decisions %+v", out)})
	return out
}

func diaryOf(cfg sim.Config, p sim.Policy) ([]page, *sim.Engine, error) {
	d := &diary{Policy: p}
	e, err := runBounded(cfg, d)
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return d.pages, e, err
}

// instantsOf chooses the instants after which work is changed: before all others, and two in the
// middle.
func instantsOf(of []page) []sim.Time {
	out := []sim.Time{-1}
	for _, part := range []int{1, 2} {
		if i := len(of) * part / 3; i < len(of) {
			out = append(out, of[i].at)
		}
	}
	return out
}

// iterated gives jobs iterations of 0.1 s, so that policies that count them have something to
// count.
func iterated(w *sim.Workload) (*sim.Workload, error) {
	jobs := slices.Clone(w.Jobs)
	for id := range jobs {
		jobs[id].IterS, jobs[id].Iterations = 0.1, max(1, int64(jobs[id].Work.Seconds()/0.1))
	}
	return sim.NewWorkload(w.Name, jobs)
}

// longer gives a workload in which the jobs that end after an instant of a run, or do not end in
// it, have more work. until is the first end of one of them.
func longer(w *sim.Workload, e *sim.Engine, after sim.Time, r *rand.Rand) (more *sim.Workload, until sim.Time,
	err error) {
	jobs, until := make([]sim.Job, len(w.Jobs)), sim.Never
	for id := range jobs {
		jobs[id] = w.Jobs[id]
		end := e.Record(sim.JobID(id)).End
		if end <= after {
			continue
		}
		until = min(until, end)
		j, factor := &jobs[id], 1.1+float64(6.9*r.Float64())
		// of the same length
		j.Work, j.Iterations = sim.Time(float64(j.Work)*factor), int64(float64(j.Iterations)*factor)
	}
	more, err = sim.NewWorkload(w.Name, jobs)
	return more, until, err
}

// firstDifference compares two runs before an instant.
func firstDifference(a, b []page, until sim.Time) string {
	for i := 0; ; i++ {
		x, y := pageAt(a, i, until), pageAt(b, i, until)
		switch {
		case x != y:
			return "first:\n" + x.String() + "\nsecond:\n" + y.String()
		case x.text == "":
			return ""
		}
	}
}

// pageAt is the i-th page if it is before an instant; else an empty one.
func pageAt(of []page, i int, until sim.Time) page {
	if i < len(of) && of[i].at < until {
		return of[i]
	}
	return page{}
}

// String is the page for messages.
func (p page) String() string {
	if p.text == "" {
		return "nothing more"
	}
	return strings.TrimSpace(fmt.Sprintf("at %v: %s", p.at, p.text))
}
