package sleepref

import (
	"context"
	"fmt"
	"slices"

	"tarry/baselines/sleep"
	"tarry/fidelity/reference"
	"tarry/internal/fraction"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/power"
	"tarry/sim/power/books"
	"tarry/sim/series"
)

// DaysReader compares folders with days of jobs under timers.
func DaysReader() reference.Reader {
	return reference.Cases("sleep days", []reference.CaseKind{{Name: "days",
		Fields: "machines gpus boot_s watts jobs runs", Compare: compareDay}})
}

// day is jobs on some machines, and runs with a timer each.
type day struct {
	Machines, GPUs int
	BootS          float64 `json:"boot_s"`
	Watts          struct {
		Off, Boot, Machine float64
		Idle               float64 `json:"gpu_idle"`
		Busy               float64 `json:"gpu_busy"`
	}
	Jobs []struct {
		Submit, Seconds float64
		GPUs            int32
	}
	Runs []dayRun
}

// dayRun is what happened with a timer; nil = machines stay on.
type dayRun struct {
	Timer *float64 `json:"timer_s"`
	Jobs  []struct {
		Start, End float64
		Machine    int
	}
	Joules struct {
		Off, Boot, Busy float64
		Machine         float64 `json:"idle_machine"`
		GPU             float64 `json:"idle_gpu"`
	}
	TotalJ      float64         `json:"total_j"`
	Boots       int             `json:"boots"`
	SwitchedOff int             `json:"switched_off"`
	UntilS      float64         `json:"until_s"`
	MeanJCT     fraction.Number `json:"mean_jct_s"`
}

// within is how far a number may be off, relative to it.
const within = 1e-9

// line starts jobs in order of arrival, each on the first machine on which it fits; the head blocks.
type line struct{ jobs []sim.JobID }

func (*line) Knows() know.Set { return know.Nothing }

func (l *line) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive {
			l.jobs = append(l.jobs, ev.Job)
		}
	}
	for len(l.jobs) > 0 {
		gpus := first(v, v.Job(l.jobs[0]).GPUs())
		if gpus == nil {
			break
		}
		v.Free().TakeAll(gpus)
		out = append(out, sim.Decision{Kind: sim.Start, Job: l.jobs[0], GPUs: gpus})
		l.jobs = l.jobs[1:]
	}
	return out
}

// first gives n free GPUs of the first machine that has so many; nil = none has.
func first(v *sim.View, n int) (gpus []cluster.GPU) {
	for m := range v.Topology().Machines() {
		if v.Free().InMachine(m) < n {
			continue
		}
		for g, hi := v.Topology().MachineGPUs(m); g < hi && len(gpus) < n; g++ {
			if v.Free().Has(g) {
				gpus = append(gpus, g)
			}
		}
		return gpus
	}
	return nil
}

func (l *line) Clone() sim.Policy { return &line{slices.Clone(l.jobs)} }

// host parses the host of these runs.
func host(string, cluster.Rule) (sim.Policy, error) { return new(line), nil }

// plain gives jobs as many seconds of work each second as they have GPUs.
type plain struct{}

func (plain) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: float64(len(q.GPUs)), ComputeFrac: 1}, nil
}

// log notes on which machine each job runs, and counts boots and power-offs.
type log struct {
	*books.Book
	top       *cluster.Topology
	on        []int
	boot, off int
}

func (l *log) Interval(i *sim.Interval) { l.on[i.Job] = l.top.Machine(i.GPUs[0]) }

func (l *log) Machine(m int32, s power.State, from sim.Time) {
	l.Book.Machine(m, s, from)
	switch s {
	case power.Booting:
		l.boot++
	case power.Off:
		l.off++
	}
}

// compareDay plays a day with each timer.
func compareDay(c *reference.Case) {
	d, ok := reference.Decode[day](c)
	if !ok {
		return
	}
	jobs := make([]sim.Job, len(d.Jobs))
	for i, j := range d.Jobs {
		jobs[i] = sim.Job{ID: fmt.Sprint(i), GPUs: j.GPUs, Submit: sim.Seconds(j.Submit),
			Work: sim.Time(j.GPUs) * sim.Seconds(j.Seconds)}
	}
	w, err := sim.NewWorkload(c.Name, jobs)
	if err != nil {
		c.Errorf("%v", err)
		return
	}
	top, err := cluster.New(cluster.Uniform(1, d.Machines, d.GPUs, 1))
	if err != nil {
		c.Errorf("%v", err)
		return
	}
	spec := power.Spec{OffW: d.Watts.Off, BootW: d.Watts.Boot, IdleW: d.Watts.Machine, GPUIdleW: d.Watts.Idle,
		LinearW: d.Watts.Busy - d.Watts.Idle, BootS: d.BootS}
	// A policy is not asked before something happens: the price has a step, so that timers run from 0.
	model := &power.Model{Specs: []power.Spec{spec}, Of: make([]int32, d.Machines),
		Price: &series.Series{Steps: []series.Step{{At: 0}, {At: 1}}}}
	for i := range d.Runs {
		if err := d.play(c, &d.Runs[i], w, top, model); err != nil {
			c.Errorf("run %d: %v", i, err)
		}
	}
}

// play runs a day with one timer and compares.
func (d *day) play(c *reference.Case, r *dayRun, w *sim.Workload, top *cluster.Topology, model *power.Model) error {
	text := "buffer=all"
	if r.Timer != nil {
		text = fmt.Sprintf("rule=timer,buffer=0,boots=one,first=sleep,idle_s=%g", *r.Timer)
	}
	p, err := sleep.New(host, "fifo", sleep.ByTimer)(param.Parse("sleep", text), cluster.FirstFound)
	if err != nil {
		return err
	}
	book, err := books.New(model, top, nil)
	if err != nil {
		return err
	}
	l := &log{Book: book, top: top, on: make([]int, len(w.Jobs))}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: plain{}, Power: model}, p, l)
	if err != nil {
		return err
	}
	of, sum := fmt.Sprintf("timer %s: ", text), 0.0
	if len(r.Jobs) != len(w.Jobs) {
		return fmt.Errorf("%d jobs, there %d", len(w.Jobs), len(r.Jobs))
	}
	for j, want := range r.Jobs {
		got := e.Record(sim.JobID(j))
		c.Near(of+"a start", got.Start.Seconds(), want.Start, 0)
		c.Near(of+"an end", got.End.Seconds(), want.End, 0)
		c.Near(of+"a machine", float64(l.on[j]), float64(want.Machine), 0)
		sum += (got.End - w.Jobs[j].Submit).Seconds()
	}
	c.Near(of+"mean_jct_s", sum/float64(len(r.Jobs)), float64(r.MeanJCT), within)
	c.Near(of+"until_s", book.Now().Seconds(), r.UntilS, 0)
	c.Near(of+"boots", float64(l.boot), float64(r.Boots), 0)
	c.Near(of+"switched_off", float64(l.off), float64(r.SwitchedOff), 0)
	busy := book.Of(books.Busy).J() * d.Watts.Busy / (d.Watts.Busy - d.Watts.Idle)
	c.Near(of+"joules off", book.Of(books.Off).J(), r.Joules.Off, within)
	c.Near(of+"joules boot", book.Of(books.Boot).J(), r.Joules.Boot, within)
	c.Near(of+"joules machine", book.Of(books.Idle).J(), r.Joules.Machine, within)
	c.Near(of+"joules busy", busy, r.Joules.Busy, within)
	c.Near(of+"joules gpu", book.Of(books.GPUIdle).J()+book.Of(books.Busy).J()-busy, r.Joules.GPU, within)
	c.Near(of+"total_j", book.Total().J(), r.TotalJ, within)
	return nil
}
