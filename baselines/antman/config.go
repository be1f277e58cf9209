package antman

import (
	"math"

	"tarry/sim"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = `guaranteed  who is guaranteed its GPUs: quota: jobs of a priority above 0, and others within their tenant's quota | priority: the first alone | fraction: drawn | all | none
fraction    of jobs that are guaranteed, with guaranteed=fraction
quota       GPUs that the guaranteed jobs of a tenant may hold; 0 = by --quotas, else equal parts of the cluster with guaranteed=quota, else no bound
wait        time after which a job within the quota starts opportunistically, s; inf = never
util        utilisation below which a GPU may get an opportunistic job
unknown     utilisation of a job that does not state it
most        opportunistic jobs on a GPU
room        part of an opportunistic job's memory that must be free
slow        slowdown of a guaranteed job beside others that is put up with
period      between two looks at speeds, s
step        what an opportunistic share grows by at each, in thousandths
cut         what it is multiplied by where a guaranteed job is slowed down
least       smallest opportunistic share, in thousandths
keep        what a guaranteed job keeps of its GPUs at least, in thousandths
online      opportunistic jobs may go beside replicas of services, on a share that keeps the services' targets
seed        of the draws`

// class is what a job is entitled to.
type class uint8

const (
	opportunistic class = iota
	guaranteed
	either // guaranteed within the quota, opportunistic after a wait
)

type config struct {
	who         string
	fraction    float64
	quota       int
	wait        sim.Time
	util        float64
	unknown     float64
	most        int
	room        float64
	slow, cut   float64
	period      sim.Time
	step, least int32
	keep        int32
	online      bool
	seed        uint64
}

func settings(s *param.Set) config {
	c := config{
		who:      s.Enum("guaranteed", "quota", "priority", "fraction", "all", "none"),
		fraction: s.Float("fraction", 0.5, 0, 1),
		quota:    s.Int("quota", 0, 0, 1<<20),
		util:     s.Float("util", 0.8, 0, 1e6),
		unknown:  s.Float("unknown", 1, 0, 1),
		most:     s.Int("most", 2, 1, 100),
		room:     s.Float("room", 1, 0, 1),
		slow:     s.Float("slow", 0.05, 0, 1),
		period:   sim.Seconds(s.Float("period", 10, 1e-3, 1e6)),
		step:     int32(s.Int("step", 50, 1, 1000)),
		cut:      s.Float("cut", 0.5, 0, 0.99),
		least:    int32(s.Int("least", 1, 1, 10)),
		keep:     int32(s.Int("keep", 501, 500, 900)),
		online:   s.Bool("online", true),
		seed:     uint64(s.Int64("seed", 1, 0, math.MaxInt64)),
	}
	if w := s.Float("wait", 60, 0, math.Inf(1)); math.IsInf(w, 1) {
		c.wait = sim.Never
	} else {
		c.wait = sim.Seconds(w)
	}
	return c
}

// limited reports whether tenants have quotas.
func (c *config) limited(v *sim.View) bool {
	return c.quota > 0 || c.who == "quota" || v.Tenants().GPUs() > 0
}

// classOf gives the class of a job that arrives. A job takes a draw where classes are drawn.
func (p *Policy) classOf(v *sim.View, j sim.JobID) class {
	switch p.cfg.who {
	case "all":
		return guaranteed
	case "none":
		return opportunistic
	case "fraction":
		if p.draws.Float64() < p.cfg.fraction {
			return guaranteed
		}
		return opportunistic
	}
	a := v.Job(j).Public()
	switch {
	case a.Priority > 0:
		return guaranteed
	case p.cfg.who == "quota":
		return either
	}
	return opportunistic
}
