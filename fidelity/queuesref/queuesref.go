// Package queuesref compares latency and backlog of services with formulas: stationary queues, loads
// and replicas that change over time by the ledger of tarry/sim/service and once more through the
// kernel, and the fewest replicas for a target.
package queuesref

import (
	"context"
	"math"

	"tarry/fidelity/reference"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/series"
	"tarry/sim/service"
	"tarry/sim/service/mmc"
)

// Differences are relative (absolute below 1). The fluid files have 15 digits.
const within = 1e-12

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Cases("queues", []reference.CaseKind{
		{Name: "loads over time", Fields: "mu deadline segments backlog_at_ends backlog_integral", Compare: compareFluid},
		{Name: "stationary spans", Fields: "mu deadline segments good", Compare: compareSpans},
	},
		reference.TableKind{Name: "queues M/M/c", Columns: "servers lambda mu p_wait p50 p95 p99 attained",
			Compare: compareMMC},
		reference.TableKind{Name: "fewest replicas", Columns: "lambda mu deadline target replicas attained",
			Compare: compareLeast},
		reference.TableKind{Name: "queues G/G/c", Columns: "servers lambda mean_service ca2 cs2 mean_wait",
			Compare: compareGGC},
		reference.TableKind{Name: "queues M/G/1", Columns: "lambda mean_service squared_cv mean_wait mean_time",
			Compare: compareMG1})
}

func compareMMC(c *reference.Case, l *reference.Line) {
	n, load, rate := l.Count("servers"), l.Number("lambda"), l.Number("mu")
	c.Near("p_wait", mmc.Wait(n, load, rate), l.Number("p_wait"), within)
	c.Near("mean_wait", mmc.MeanWaitS(n, load, rate), l.Number("mean_wait"), within)
	c.Near("mean_time", mmc.MeanWaitS(n, load, rate)+1/rate, l.Number("mean_time"), within)
	for p, column := range map[float64]string{0.5: "p50", 0.95: "p95", 0.99: "p99"} {
		c.Near(column, mmc.QuantileS(n, load, rate, p), l.Number(column), within)
	}
	c.Near("attained", mmc.Attained(n, load, rate, l.Number("deadline")), l.Number("attained"), within)
}

func compareLeast(c *reference.Case, l *reference.Line) {
	load, rate, deadline := l.Number("lambda"), l.Number("mu"), l.Number("deadline")
	n := mmc.Least(load, rate, deadline, l.Number("target"), 100_000)
	if want := l.Count("replicas"); n != want {
		c.Errorf("%d replicas, there %d", n, want)
	} else if n > 0 {
		c.Near("attained", mmc.Attained(n, load, rate, deadline), l.Number("attained"), 1e-11) // 12 digits there
	}
}

func compareGGC(c *reference.Case, l *reference.Line) {
	c.Near("mean_wait", mmc.AllenCunneenWaitS(l.Count("servers"), l.Number("lambda"), l.Number("mean_service"),
		l.Number("ca2"), l.Number("cs2")), l.Number("mean_wait"), within)
}

func compareMG1(c *reference.Case, l *reference.Line) {
	w := mmc.MG1WaitS(l.Number("lambda"), l.Number("mean_service"), l.Number("squared_cv"))
	c.Near("mean_wait", w, l.Number("mean_wait"), within)
	c.Near("mean_time", w+l.Number("mean_service"), l.Number("mean_time"), within)
}

// curve is a load and replicas over time.
type curve struct {
	Mu, Deadline float64
	Segments     []struct {
		LengthS  float64 `json:"length_s"`
		Load     float64
		Replicas int32
		Attained float64
		MeanS    float64 `json:"mean_s"`
	}
	Arrived, Good, Served float64
	Integral              float64      `json:"backlog_integral"`
	Ends                  [][2]float64 `json:"backlog_at_ends"`
	Overloaded            float64      `json:"time_overloaded_s"`
}

// spec is the service of a curve, and spans are its segments.
func (x *curve) spec() service.Spec {
	s := service.Spec{Name: "one", Replicas: 1, RatePerS: x.Mu, DeadlineS: x.Deadline, Load: &series.Series{}}
	at := int64(0)
	for _, p := range x.Segments {
		s.Replicas = max(s.Replicas, p.Replicas)
		s.Load.Steps = append(s.Load.Steps, series.Step{At: at, Value: p.Load})
		at += int64(math.Round(p.LengthS * 1e6))
	}
	return s
}

func compareFluid(c *reference.Case) {
	x, ok := reference.Decode[curve](c)
	if !ok {
		return
	}
	spec, at := x.spec(), int64(0)
	if len(x.Ends) != len(x.Segments) {
		c.Errorf("%d backlogs of %d segments", len(x.Ends), len(x.Segments))
		return
	}
	var l service.Ledger
	for i, p := range x.Segments {
		to := at + int64(math.Round(p.LengthS*1e6))
		l.Add(&spec, service.Fluid, &service.Span{From: at, To: to, LoadPerS: p.Load,
			CapacityPerS: float64(p.Replicas) * x.Mu, Replicas: p.Replicas, Backlog: l.Backlog})
		at = to
		c.Near("a backlog", l.Backlog, x.Ends[i][1], within)
		c.Near("the time of a backlog", float64(at)/1e6, x.Ends[i][0], within)
	}
	x.totals(c, "ledger", &l)
	c.Near("the integral of the backlog", l.BacklogS, x.Integral, within)
	c.Near("time with overload", l.OverloadedS, x.Overloaded, within)
	played, err := x.play(spec)
	if err != nil {
		c.Errorf("the kernel: %v", err)
		return
	}
	x.totals(c, "kernel", &played)
	c.Near("kernel: the integral of the backlog", played.BacklogS, x.Integral, within)
}

func (x *curve) totals(c *reference.Case, what string, l *service.Ledger) {
	c.Near(what+": arrived", l.Arrived, x.Arrived, within)
	c.Near(what+": good", l.Good, x.Good, within)
	c.Near(what+": served", l.Served, x.Served, within)
}

func compareSpans(c *reference.Case) {
	x, ok := reference.Decode[curve](c)
	if !ok {
		return
	}
	good, arrived := 0.0, 0.0
	for i, p := range x.Segments {
		spec, l := x.spec(), service.Ledger{}
		l.Add(&spec, service.MMC, &service.Span{To: int64(math.Round(p.LengthS * 1e6)), LoadPerS: p.Load,
			CapacityPerS: float64(p.Replicas) * x.Mu, Replicas: p.Replicas})
		if p.Load >= float64(p.Replicas)*x.Mu {
			l.Good = 0 // no stationary law; the ledger has the fluid's
		}
		c.Near("attained in a segment", l.Good/l.Arrived, p.Attained, within)
		if mean := mmc.MeanWaitS(int(p.Replicas), p.Load, x.Mu) + 1/x.Mu; p.MeanS > 0 {
			c.Near("the mean time of a segment", mean, x.Segments[i].MeanS, within)
		}
		good, arrived = good+l.Good, arrived+l.Arrived
	}
	c.Near("arrived", arrived, x.Arrived, within)
	c.Near("good", good, x.Good, within)
}

// play runs the curve through the kernel: an operator keeps so many replicas as each segment states.
func (x *curve) play(spec service.Spec) (l service.Ledger, err error) {
	top, err := cluster.New(cluster.Uniform(1, 1, int(spec.Replicas), 1))
	if err != nil {
		return l, err
	}
	w, err := sim.NewWorkload("none", nil)
	if err != nil {
		return l, err
	}
	end, watch := sim.Time(0), &ledger{spec: &spec}
	for _, p := range x.Segments {
		end += sim.Seconds(p.LengthS)
	}
	_, err = sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: plain{}, Until: end, Check: true,
		Services: &service.Model{Services: []service.Spec{spec}}, Operator: keeper{x}}, idle{}, watch)
	return watch.Ledger, err
}

// keeper is the operator.
type keeper struct{ *curve }

func (keeper) Knows() know.Set     { return know.Nothing }
func (k keeper) Clone() sim.Policy { return k }

func (k keeper) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	at := sim.Time(0)
	for _, p := range k.Segments {
		next := at + sim.Seconds(p.LengthS)
		if v.Now() >= at && v.Now() < next {
			for i := range int32(v.Topology().GPUs()) {
				id := sim.JobID(v.NumJobs()) + sim.JobID(i)
				switch running := v.Run(id).State() == sim.Running; {
				case running && i >= p.Replicas:
					out = append(out, sim.Decision{Kind: sim.Preempt, Job: id})
				case !running && i < p.Replicas:
					out = append(out, sim.Decision{Kind: sim.Start, Job: id, GPUs: []cluster.GPU{cluster.GPU(i)}})
				}
			}
			return append(out, sim.Decision{Kind: sim.WakeAt, At: next})
		}
		at = next
	}
	return out
}

type idle struct{}

func (idle) Knows() know.Set                                       { return know.Nothing }
func (idle) Decide(_ *sim.View, out []sim.Decision) []sim.Decision { return out }

type plain struct{}

func (plain) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: float64(len(q.GPUs)), ComputeFrac: 1}, nil
}

// ledger adds up the spans that the kernel reports.
type ledger struct {
	service.Ledger
	spec *service.Spec
}

func (*ledger) Interval(*sim.Interval)     {}
func (*ledger) Job(*sim.Record)            {}
func (*ledger) Instant(*sim.Gauge)         {}
func (*ledger) Replica(*sim.Interval)      {}
func (*ledger) Lend(int32, bool, sim.Time) {}
func (l *ledger) Serve(s *service.Span)    { l.Add(l.spec, service.Fluid, s) }
