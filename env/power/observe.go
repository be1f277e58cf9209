package power

import (
	"cmp"
	"math"
	"slices"

	"tarry/env/hide"
	"tarry/env/schedenv"
	"tarry/env/schedenv/charge"
	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
	draw "tarry/sim/power"
)

// account is what stays the same of watts and prices in a run.
type account struct {
	most           float64 // that the cluster draws
	price, carbon  float64 // means; 0 = none
	breakEvenTimes sim.Time
}

// read takes it from a model.
func (a *account) read(c *Config) {
	m, t := c.Power, c.Topology
	if m == nil || t == nil {
		return
	}
	a.most = charge.MostW(m, t)
	a.price, a.carbon = charge.MeanOf(m.Price), charge.MeanOf(m.Carbon)
	lo, hi := t.MachineGPUs(0)
	a.breakEvenTimes = sim.Never
	if at := m.Spec(0).BreakEvenS(int(hi - lo)); !math.IsInf(at, 1) {
		a.breakEvenTimes = sim.Seconds(at)
	}
}

type wanted = plan.Wanted

// hour is the step in which prices are looked at.
const hour = 3600 * sim.Second

// Observe writes the features of the cluster, of power and of the classes.
func (s *scheduler) Observe(v *sim.View, obs []float64, _ []bool) {
	s.list(v)
	seen := obs
	obs = obs[schedenv.Cluster(v, s.wanted, s.lease, obs):]
	obs = obs[s.observePower(v, obs):]
	up := float64(v.Usable())
	for i := range s.classes {
		c := &s.classes[i]
		obs = obs[copy(obs, []float64{schedenv.Share(c.gpus, up), schedenv.Share(c.compute, c.gpus),
			schedenv.Share(c.watts, s.watts.most), s.set.clock[i]}):]
	}
	hide.Blank(seen, s.hidden)
}

// observePower writes the features of power and gives how many there are.
func (s *scheduler) observePower(v *sim.View, obs []float64) int {
	p, now, count := v.Power(), v.Now(), [4]float64{}
	for m := range v.Topology().Machines() {
		count[p.State(m)]++
	}
	all, w, limit := float64(v.Topology().Machines()), p.Watts(), p.Cap(now)
	capped, over := 1.0, 0.0
	if !math.IsNaN(limit) {
		capped, over = schedenv.Share(limit, s.watts.most), 1
		if limit > 0 {
			over = schedenv.Squash(w / limit)
		}
	}
	sin, cos := fixmath.Sincos(2 * math.Pi * float64(now%(24*hour)) / float64(24*hour))
	n := copy(obs, []float64{count[draw.On] / all, float64(s.machines.unused) / all, count[draw.Booting] / all,
		count[draw.Stopping] / all, schedenv.Share(w, s.watts.most), capped, over,
		schedenv.Leases(s.watts.breakEvenTimes, s.lease)})
	for _, of := range []struct {
		at   func(sim.Time) float64
		mean float64
	}{{p.Price, s.watts.price}, {p.Carbon, s.watts.carbon}} {
		n += copy(obs[n:], []float64{ratio(of.at(now), of.mean), ratio(of.at(now+hour), of.mean),
			ratio(ahead(of.at, now, 4), of.mean), ratio(ahead(of.at, now, 12), of.mean)})
	}
	timer := (timerAction(float64(s.set.timer)/float64(s.lease)) + 1) / 2
	if s.set.timer == sim.Never {
		timer = 1
	}
	return n + copy(obs[n:], []float64{(1 + sin) / 2, (1 + cos) / 2, s.age(v), float64(s.set.limit) / all,
		float64(s.set.spare) / all, timer})
}

// ahead is the mean at the next hours.
func ahead(at func(sim.Time) float64, now sim.Time, hours int) float64 {
	sum := 0.0
	for h := 1; h <= hours; h++ {
		sum += at(now + sim.Time(h)*hour)
	}
	return sum / float64(hours)
}

// ratio is a price beside its mean, squashed.
func ratio(x, mean float64) float64 {
	if math.IsNaN(x) || mean <= 0 {
		return 0.5
	}
	return schedenv.Squash(max(0, x) / mean)
}

// age is the mean time since the submit of the jobs in the system.
func (s *scheduler) age(v *sim.View) float64 {
	sum, n := 0.0, len(s.waiting)+len(v.Running())
	for _, list := range [][]sim.JobID{s.waiting, v.Running()} {
		for _, j := range list {
			sum += float64(v.Now() - v.Job(j).Submit())
		}
	}
	if n == 0 {
		return 0
	}
	return schedenv.Squash(sum / float64(n) / float64(s.lease))
}

// list counts the waiting jobs by demand.
func (s *scheduler) list(v *sim.View) {
	s.wanted = s.wanted[:0]
	for _, j := range s.waiting {
		gpus, since := v.Job(j).GPUs(), v.Run(j).Since()
		i, there := slices.BinarySearchFunc(s.wanted, gpus, func(w wanted, g int) int { return cmp.Compare(w.GPUs, g) })
		if !there {
			fits, _ := v.Topology().Finest(cluster.LevelMachine, gpus, v.Job(j).PerGPU())
			s.wanted = slices.Insert(s.wanted, i, wanted{GPUs: gpus, Oldest: since, Fits: fits})
		}
		w := &s.wanted[i]
		w.Waiting++
		w.Oldest = min(w.Oldest, since)
	}
}
