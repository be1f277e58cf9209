package books_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/power"
	"tarry/sim/power/books"
	"tarry/sim/series"
)

// played is a random history of draws and states, and what exact arithmetic makes of it.
type played struct {
	b        *books.Book
	m        *power.Model
	top      *cluster.Topology
	now      sim.Time
	states   []power.State
	jobs     map[sim.JobID]*load
	moved    map[int]bool               // machines whose state changed at this instant
	joules   map[string]*big.Rat        // by part, job and machine
	cost, of *big.Rat                   // cost, total
	taken    map[sim.JobID]books.Energy // of jobs that ended
}

type load struct {
	gpus   []cluster.GPU
	u, c   float64
	begins sim.Time
}

// nano is watts as the books round them.
func nano(w float64) *big.Rat { return big.NewRat(int64(math.Round(w*1e9)), 1e9) }

func (p *played) add(key string, w *big.Rat, n int64, t sim.Time) *big.Rat {
	j := new(big.Rat).Mul(w, new(big.Rat).Mul(big.NewRat(n, 1), big.NewRat(int64(t), 1e6)))
	if p.joules[key] == nil {
		p.joules[key] = new(big.Rat)
	}
	p.joules[key].Add(p.joules[key], j)
	return j
}

// step lets one microsecond-exact piece pass, of which nothing changes within.
func (p *played) step(to sim.Time) {
	for p.now < to {
		until := min(to, sim.Time(p.m.Price.Next(int64(p.now))))
		for _, l := range p.jobs {
			if l.begins > p.now {
				until = min(until, l.begins)
			}
		}
		p.piece(until)
		p.now = until
	}
}

func (p *played) piece(until sim.Time) {
	t, sum := until-p.now, new(big.Rat)
	for m, s := range p.states {
		spec := p.m.Spec(m)
		lo, hi := p.top.MachineGPUs(m)
		switch s {
		case power.On, power.Stopping:
			sum.Add(sum, p.add("idle", nano(spec.IdleW), 1, t))
			sum.Add(sum, p.add("gpus", nano(spec.GPUIdleW), int64(hi-lo), t))
		case power.Booting:
			sum.Add(sum, p.add("boot", nano(spec.BootW), 1, t))
		default:
			sum.Add(sum, p.add("off", nano(spec.OffW), 1, t))
		}
	}
	for id, l := range p.jobs {
		for _, g := range l.gpus {
			if l.u > 0 && l.begins <= p.now {
				w := nano(l.u * p.m.Spec(p.top.Machine(g)).BusyW(l.c))
				sum.Add(sum, p.add(fmt.Sprint("job ", id), w, 1, t))
				p.add(fmt.Sprint("machine ", p.top.Machine(g)), w, 1, t)
			}
		}
	}
	p.of.Add(p.of, sum)
	price := new(big.Rat).SetFloat64(p.m.Price.At(int64(p.now)) / 3.6e6)
	p.cost.Add(p.cost, sum.Mul(sum, price))
}

func (p *played) cycle(m int) {
	j := p.add("boot", nano(p.m.Spec(m).CycleJ), 1, sim.Second)
	p.of.Add(p.of, j)
	p.cost.Add(p.cost, new(big.Rat).Mul(j, new(big.Rat).SetFloat64(p.m.Price.At(int64(p.now))/3.6e6)))
}

// act changes one thing now.
func (p *played) act(r *rand.Rand) {
	id := sim.JobID(r.IntN(6))
	l := p.jobs[id]
	switch m := r.IntN(len(p.states)); {
	case r.IntN(3) == 0: // a machine, once at an instant
		if p.moved[m] {
			return
		}
		p.moved[m] = true
		s := power.State(r.IntN(4))
		if s == power.Booting && p.states[m] != power.Booting {
			p.cycle(m)
		}
		p.states[m] = s
		p.b.Machine(int32(m), s, p.now)
	case l != nil && r.IntN(4) == 0: // a job leaves
		delete(p.jobs, id)
		p.b.Draw(id, nil, 0, 1, p.now)
		p.b.Job(&sim.Record{Job: id})
	default: // a job changes, maybe after a pause
		n := &load{u: float64(1+r.IntN(9)) / 10, c: float64(1+r.IntN(8)) / 7, begins: p.now}
		for g := range cluster.GPU(p.top.GPUs()) {
			if r.IntN(3) == 0 {
				n.gpus = append(n.gpus, g)
			}
		}
		if len(n.gpus) == 0 {
			n.u = 0
		}
		if r.IntN(2) == 0 {
			n.begins += sim.Time(1 + r.IntN(9e6))
		}
		if n.begins > p.now {
			p.b.Draw(id, n.gpus, 0, 1, p.now)
		}
		p.b.Draw(id, n.gpus, n.u, n.c, n.begins)
		p.jobs[id] = n
	}
}

// Random histories: the books are the exact sums, machine by machine and job by job, and agree with
// one another to the last bit; cost is exact to rounding however prices change.
func TestAgainstExactSums(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 36))
		top := topology(t, 3, 4)
		m := model(3, power.Spec{OffW: 3.7, BootW: 211, IdleW: 90.1, GPUIdleW: 11.3, LinearW: 80,
			CubicW: 170.9, CycleJ: 5e3})
		m.Specs = append(m.Specs, power.Spec{IdleW: 1, Curve: []power.Point{{FreqFrac: .5, Watts: 30},
			{FreqFrac: 1, Watts: 90}}})
		m.Of[1] = 1
		m.Price = &series.Series{Every: 11e6 + 1, Steps: []series.Step{{Value: .31}, {At: 3e6 + 7, Value: -.1},
			{At: 7e6, Value: 7}}}
		p := &played{m: m, top: top, states: make([]power.State, 3), jobs: map[sim.JobID]*load{},
			joules: map[string]*big.Rat{}, cost: new(big.Rat), of: new(big.Rat), taken: map[sim.JobID]books.Energy{}}
		p.b = open(t, m, top, func(r *sim.Record, busy books.Energy) { p.taken[r.Job] = p.taken[r.Job].Plus(busy) })
		for range 80 {
			p.step(p.now + sim.Time(r.IntN(4e6)))
			p.moved = map[int]bool{}
			for range 1 + r.IntN(3) {
				p.act(r)
			}
			if r.IntN(2) == 0 {
				p.b.Instant(&sim.Gauge{Now: p.now})
			}
		}
		p.b.Advance(p.now)
		p.check(t, seed)
	}
}

func (p *played) check(t *testing.T, seed uint64) {
	t.Helper()
	exact := func(what string, got books.Energy, want *big.Rat) {
		f := 0.0
		if want != nil {
			f, _ = want.Float64()
		}
		if math.Abs(got.J()-f) > 1e-12*max(1, f) {
			t.Errorf("seed %d: %s is %v J, expected %v", seed, what, got.J(), f)
		}
	}
	sum, jobs, all := books.Energy{}, books.Energy{}, books.Energy{}
	for part, key := range map[books.Part]string{books.Off: "off", books.Boot: "boot", books.Idle: "idle",
		books.GPUIdle: "gpus"} {
		exact(key, p.b.Of(part), p.joules[key])
	}
	for part := range books.Parts {
		all = all.Plus(p.b.Of(part))
		for m := range p.states {
			sum = sum.Plus(p.b.OfMachine(m, part))
		}
	}
	for id := range sim.JobID(6) {
		of := p.taken[id].Plus(p.b.OfJob(id))
		exact(fmt.Sprint("job ", id), of, p.joules[fmt.Sprint("job ", id)])
		jobs = jobs.Plus(of)
	}
	for m := range p.states {
		exact(fmt.Sprint("machine ", m), p.b.OfMachine(m, books.Busy), p.joules[fmt.Sprint("machine ", m)])
	}
	exact("total", p.b.Total(), p.of)
	if all != p.b.Total() || sum != all || jobs != p.b.Of(books.Busy) {
		t.Errorf("seed %d: parts %v, machines %v, total %v; jobs %v, busy %v", seed, all, sum, p.b.Total(), jobs,
			p.b.Of(books.Busy))
	}
	cost, _ := p.cost.Float64()
	if math.Abs(p.b.Cost()-cost) > 1e-11*max(1e-3, math.Abs(cost)) {
		t.Errorf("seed %d: the cost is %v, expected %v", seed, p.b.Cost(), cost)
	}
}
