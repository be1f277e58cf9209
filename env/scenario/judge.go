package scenario

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/entry"
)

// judged is a window on which candidates are simulated.
type judged struct {
	jobs      *sim.Workload
	predictor func(of *Setup) (sim.Predictor, error)
	outages   func() sim.Outages
}

// judge gives the log of a candidate's mean completion time on each window.
func (s *Setup) judge(ctx context.Context, name string, fresh func() (sim.Policy, error),
	on []judged) ([]float64, error) {
	of, err := s.Candidate(name)
	if err != nil {
		return nil, err
	}
	logs := make([]float64, len(on))
	for i := range on {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, err := on[i].predictor(of)
		if err != nil {
			return nil, err
		}
		jct, err := s.completion(ctx, fresh, &on[i], p)
		if err != nil {
			return nil, fmt.Errorf("window %d of validation: %w", i, err)
		}
		logs[i] = math.Log(jct)
	}
	return logs, nil
}

// completion simulates a window and gives the mean completion time of its jobs in seconds: the
// integral of jobs in the system, over their number.
func (s *Setup) completion(ctx context.Context, fresh func() (sim.Policy, error), on *judged,
	p sim.Predictor) (float64, error) {
	policy, err := fresh()
	if err != nil {
		return 0, err
	}
	held := entry.Hold(ctx, policy)
	defer held.Close()
	speed, err := s.Speed()
	if err != nil {
		return 0, err
	}
	owners, err := s.Tenants(on.jobs)
	if err != nil {
		return 0, err
	}
	var history []sim.Time
	for i := range on.jobs.Jobs {
		history = append(history, on.jobs.Jobs[i].Work)
	}
	slices.Sort(history)
	e, err := sim.New(sim.Config{Tenants: owners, Workload: on.jobs, Topology: s.Topology, Speed: speed,
		Costs: s.Costs(), MarkEvery: s.MarkEvery(), Power: s.power, Services: s.services, Operator: s.operator,
		ModelBytes: s.ModelBytes, Predictor: p, History: history, Outages: on.outages()})
	if err != nil {
		return 0, err
	}
	e.Permit(policy.Knows())
	if err := e.Drive(ctx, policy, nil); err != nil {
		return 0, held.Explain(err)
	}
	area, _, _ := e.Areas()
	us := float64(float64(area[0])*(1<<32)*(1<<32)) + float64(area[1])
	return max(us, 1) / 1e6 / float64(len(on.jobs.Jobs)), nil
}

// validation are the windows of validation to compare on, spread over the part. Where windows have a
// place in time only those count that end before the first of test.
func (s *Setup) validation() ([]judged, error) {
	if s.raw == nil {
		return nil, errors.New("there are no windows of validation to choose on, expected windows of a part " +
			"(--cuts part=test,...), or a predictor by name")
	}
	windows, jobs := s.chooser.of.Bounds()
	first := s.firstTest()
	n := s.raw.Windows(Validation)
	step := stride(n)
	var out []judged
	for i := range n {
		at := i * step % n
		w, err := s.Windows.Window(Validation, at)
		if err != nil {
			return nil, err
		}
		if d, ok := s.raw.(Dated); ok {
			from, to := w.Span()
			if d.Begins(Validation, at)+to-from >= first {
				continue
			}
		}
		out = append(out, judged{w, func(of *Setup) (sim.Predictor, error) { return of.predictorOf(Validation, at) },
			func() sim.Outages { return s.WindowOutages(Validation, at) }})
		if jobs -= len(w.Jobs); jobs <= 0 || len(out) == windows {
			break
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no window of validation ends before the first one of test, expected test behind " +
			"validation in time (no test_starts), or a predictor by name")
	}
	return out, nil
}

// firstTest is when the first window of test begins; sim.Never where windows have no place in time.
func (s *Setup) firstTest() sim.Time {
	first := sim.Never
	if d, ok := s.raw.(Dated); ok {
		for i := range d.Windows(Test) {
			first = min(first, d.Begins(Test, i))
		}
	}
	return first
}
