package energyref

import (
	"fmt"

	"tarry/fidelity/reference"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/power"
	"tarry/sim/power/books"
	"tarry/sim/series"
)

// bookCase is the intervals of machines' states and what the energy of them is.
type bookCase struct {
	Machines, GPUs int
	Watts          struct {
		Off, Boot   float64
		MachineIdle float64 `json:"machine_idle"`
		GPUIdle     float64 `json:"gpu_idle"`
		P1          float64 `json:"gpu_p1"`
		P3          float64 `json:"gpu_p3"`
	}
	BootS     float64 `json:"boot_s"`
	UntilS    float64 `json:"until_s"`
	Intervals []span
	Joules    struct {
		Off, Boot   number
		MachineIdle number `json:"machine_idle"`
		GPUIdle     number `json:"gpu_idle"`
		GPUBusy     number `json:"gpu_busy"`
	}
	JobJoules map[string]number `json:"job_joules"`
	TotalJ    number            `json:"total_j"`
	Prices    []float64         `json:"price_per_j_each_600s"`
	Cost      number
}

// span is a state of a machine, and a job on its first GPUs.
type span struct {
	Machine    int
	Start, End float64
	State      string
	Busy       int `json:"busy_gpus"`
	Job        *sim.JobID
	Use, Clock number
}

func (x *bookCase) spec() power.Spec {
	return power.Spec{OffW: x.Watts.Off, BootW: x.Watts.Boot, IdleW: x.Watts.MachineIdle, GPUIdleW: x.Watts.GPUIdle,
		LinearW: x.Watts.P1, CubicW: x.Watts.P3, BootS: x.BootS}
}

func (x *bookCase) price() *series.Series {
	s := &series.Series{}
	for i, p := range x.Prices {
		s.Steps = append(s.Steps, series.Step{At: int64(i) * int64(600*sim.Second), Value: p * 3.6e6})
	}
	return s
}

// gpus are the first of a machine that the job of a span uses.
func (x *bookCase) gpus(s *span) (out []cluster.GPU) {
	for g := range s.Busy {
		out = append(out, cluster.GPU(s.Machine*x.GPUs+g))
	}
	return out
}

// state is the state of a span.
func (s *span) state() (power.State, bool) {
	for _, of := range []struct {
		name  string
		state power.State
	}{{"on", power.On}, {"off", power.Off}, {"boot", power.Booting}} {
		if of.name == s.State {
			return of.state, true
		}
	}
	return 0, false
}

// compareBooks lets a book follow the intervals and compares its energies and cost.
func compareBooks(c *reference.Case) {
	x, ok := reference.Decode[bookCase](c)
	if !ok {
		return
	}
	jobs := map[sim.JobID]books.Energy{}
	b := open(c, x.Machines, x.GPUs, x.spec(), x.price(), func(r *sim.Record, e books.Energy) { jobs[r.Job] = e })
	if b == nil {
		return
	}
	at := map[float64][]*span{}
	for i := range x.Intervals {
		s := &x.Intervals[i]
		if _, ok := s.state(); !ok || s.Machine < 0 || s.Machine >= x.Machines || s.Busy < 0 || s.Busy > x.GPUs {
			c.Errorf("interval %d is %+v", i, *s)
			return
		}
		at[s.Start] = append(at[s.Start], s)
		at[s.End] = append(at[s.End], s)
	}
	for t := 0.0; t <= x.UntilS; t++ {
		x.instant(b, t, at[t])
	}
	x.judge(c, b, jobs)
}

// instant lets what ends and begins at a second end and begin.
func (x *bookCase) instant(b *books.Book, second float64, all []*span) {
	now := sim.Seconds(second)
	for _, s := range all {
		if s.End == second && s.Job != nil {
			b.Draw(*s.Job, nil, 0, 1, now)
			b.Job(&sim.Record{Job: *s.Job})
		}
	}
	for _, s := range all {
		if s.Start != second {
			continue
		}
		state, _ := s.state()
		if b.Machine(int32(s.Machine), state, now); s.Job != nil {
			b.Draw(*s.Job, x.gpus(s), float64(s.Use), float64(s.Clock), now)
		}
	}
	b.Advance(now)
}

// judge compares a book. There what a GPU draws idle is the job's while one uses it; here it is not.
func (x *bookCase) judge(c *reference.Case, b *books.Book, jobs map[sim.JobID]books.Energy) {
	held, all := map[sim.JobID]float64{}, 0.0
	for _, s := range x.Intervals {
		if s.Job != nil {
			joules := float64(s.Busy) * (s.End - s.Start) * x.Watts.GPUIdle
			held[*s.Job] += joules
			all += joules
		}
	}
	var sum, busy books.Energy
	for p, want := range map[books.Part]float64{books.Off: float64(x.Joules.Off), books.Boot: float64(x.Joules.Boot),
		books.Idle: float64(x.Joules.MachineIdle), books.GPUIdle: float64(x.Joules.GPUIdle) + all,
		books.Busy: float64(x.Joules.GPUBusy) - all} {
		c.Near(fmt.Sprint("part ", p), b.Of(p).J(), want, within)
		sum = sum.Plus(b.Of(p))
	}
	for id, e := range jobs {
		busy = busy.Plus(e)
		want, ok := x.JobJoules[fmt.Sprint(id)]
		if !ok {
			c.Errorf("job %d has %v J, there is none", id, e.J())
		}
		c.Near(fmt.Sprint("job ", id), e.J()+held[id], float64(want), within)
	}
	if len(jobs) != len(x.JobJoules) {
		c.Errorf("%d jobs, there %d", len(jobs), len(x.JobJoules))
	}
	c.Near("the total", b.Total().J(), float64(x.TotalJ), within)
	c.Near("the cost", b.Cost(), float64(x.Cost), within)
	if sum != b.Total() || busy != b.Of(books.Busy) {
		c.Errorf("the parts are %v J, all is %v J; the jobs are %v J, busy is %v J", sum.J(), b.Total().J(), busy.J(),
			b.Of(books.Busy).J())
	}
}
