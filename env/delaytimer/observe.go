package delaytimer

import (
	"tarry/env/hide"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/cluster"
)

// features is the number of features of a class.
const features = 14

// sums are over the running jobs of a class, in GPUs.
type sums struct {
	gpus, compute float64
	at            [3]float64 // machine or finer, rack, cluster
}

// measure goes through what runs.
func (s *scheduler) measure(v *sim.View) {
	s.sums = [Classes]sums{}
	for _, j := range v.Running() {
		g := v.Job(j).GPUs()
		t, n := &s.sums[class(g, s.machine)], float64(g)
		t.gpus += n
		t.compute += float64(n * v.Run(j).Speed().ComputeFrac)
		t.at[max(v.Run(j).Level(), cluster.LevelMachine)-cluster.LevelMachine] += n
	}
}

// Observe writes the features of the cluster and of the classes, or of the one in question.
func (s *scheduler) Observe(v *sim.View, obs []float64, _ []bool) {
	s.waiting = s.policy.Waiting(s.waiting[:0])
	own := obs[schedenv.Cluster(v, s.waiting, s.lease, obs):]
	if s.discrete {
		s.observeClass(v, s.asked, own)
	} else {
		for i := range Classes {
			s.observeClass(v, i, own[i*s.width:(i+1)*s.width])
		}
	}
	hide.Blank(obs, s.hidden)
}

func (s *scheduler) observeClass(v *sim.View, i int, obs []float64) {
	c, t, top := &s.classes[i], &s.sums[i], v.Topology()
	all := float64(top.GPUs())
	jobs, asked, oldest := 0, 0, v.Now()
	for k := range s.waiting {
		if d := &s.waiting[k]; class(d.GPUs, s.machine) == i {
			jobs += d.Waiting
			asked += d.GPUs * d.Waiting
			oldest = min(oldest, d.Oldest)
		}
	}
	compute, present, wait := 1.0, 0.0, 0.0
	if t.gpus > 0 {
		compute = schedenv.Share(t.compute, t.gpus)
	}
	rack, net := c.rack, c.net
	var base [2]float64
	if c.seen {
		present = 1
		if !c.own || s.cfg.SeeRegime {
			r, n, _ := s.base.Timers(c.demand, v.Now())
			base = [2]float64{coded(r, s.lease), coded(n, s.lease)}
			if !c.own {
				rack, net = r, n
			}
		}
	}
	if c.accepted > 0 {
		wait = schedenv.Squash(c.waited / float64(c.accepted))
	}
	span := float64(max(v.Now()-s.last, sim.Second)) / float64(s.lease)
	copy(obs, []float64{
		present, float64(i) / (Classes - 1), schedenv.Squash(float64(jobs) / float64(top.Machines())),
		schedenv.Squash(float64(asked) / all),
		schedenv.Leases(v.Now()-oldest, s.lease), schedenv.Share(t.gpus, float64(v.Usable())),
		schedenv.Share(t.at[0], t.gpus), schedenv.Share(t.at[1], t.gpus), schedenv.Share(t.at[2], t.gpus), compute,
		schedenv.Squash(c.arrived / span / all), wait, coded(rack, s.lease), coded(net, s.lease)})
	if s.cfg.SeeRegime {
		copy(obs[features:], []float64{c.toll.mean(c.toll.rack), c.toll.mean(c.toll.net), base[0], base[1]})
	}
}
