package crux

import (
	"slices"

	"tarry/baselines/over"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// Params describes the settings for the catalogue.
const Params = `host    the policy that decides who runs where, NAME or "NAME:key=value,..."
levels  priorities on links, 1 = none
paths   false: the network chooses paths between racks
orders  topological orders that are cut
seed    of the random orders`

// Policy is Crux over a host. Build it with New; it belongs to one run.
type Policy struct {
	host   over.Host
	levels int
	paths  bool
	orders int
	draws  *rng.Stream

	runs []run       // of the running jobs that cross links
	gone []sim.JobID // jobs with a decision at this instant, ascending
	rank ranks
}

// New gives the maker of Crux over any policy that a parser makes. Parameters: Params.
//
//  1. The host decides.
//  2. When jobs start, move or end: each running job that crosses links gets its least congested path,
//     in order of GPU intensity.
//  3. Its priority is its intensity times a factor from a comparison with the job with most traffic.
//  4. Priorities are compressed to levels where jobs share links.
func New(parse over.Parser) func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
		p := &Policy{host: parse.Read(s, rule, "host", "dally", over.NoTimer), levels: s.Int("levels", 8, 1, 100),
			paths: s.Bool("paths", true), orders: s.Int("orders", 10, 1, 1e6)}
		p.draws = rng.Source{Seed: uint64(s.Int("seed", 1, 0, 1<<31-1)), Experiment: "crux"}.Stream("orders")
		return p, s.Err()
	}
}

// Knows is what the host reads, and speeds: a pattern is profiled.
func (p *Policy) Knows() know.Set { return p.host.Reads(know.Speed) }

// Decide lets the host decide, then sets paths and levels where the jobs on links have changed.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	first := len(out)
	out = p.host.Decide(v, out)
	if v.Links().Count() == 0 || !changed(v, out[first:]) {
		return out
	}
	p.collect(v, out[first:])
	if p.paths && v.Links().Paths() > 0 {
		p.rank.paths(v, p.runs)
	}
	p.rank.levels(p.runs, v.Links().Count(), p.levels, p.orders, p.draws)
	return p.apply(v, out, first)
}

// changed reports whether jobs started, moved or ended at this instant.
func changed(v *sim.View, out []sim.Decision) bool {
	for i := range out {
		switch out[i].Kind {
		case sim.Start, sim.Preempt, sim.Migrate, sim.Resize:
			return true
		}
	}
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Finish, sim.Fail, sim.OutOfMemory:
			return true
		}
	}
	return false
}

// run is a running job that crosses links.
type run struct {
	job       sim.JobID
	gpus      []cluster.GPU
	at        int // 1 + the index of its decision at this instant; 0 = it has none
	pattern   Pattern
	intensity float64
	priority  float64
	path      uint64
	links     []int32
	level     int8
}

// collect lists the jobs that run after the decisions and cross links.
func (p *Policy) collect(v *sim.View, out []sim.Decision) {
	p.runs, p.gone = p.runs[:0], p.gone[:0]
	for i := range out {
		switch d := &out[i]; d.Kind {
		case sim.Preempt:
			p.gone = append(p.gone, d.Job)
		case sim.Start, sim.Migrate, sim.Resize:
			p.gone = append(p.gone, d.Job)
			p.add(v, d.Job, d.GPUs, i+1, d.Path)
		}
	}
	slices.Sort(p.gone)
	for _, j := range v.Running() {
		if _, ok := slices.BinarySearch(p.gone, j); !ok {
			p.add(v, j, v.Run(j).Held(), 0, v.Run(j).Knobs().Path)
		}
	}
	slices.SortFunc(p.runs, func(a, b run) int { return int(a.job) - int(b.job) })
}

// add lists a job if it crosses links.
func (p *Policy) add(v *sim.View, j sim.JobID, gpus []cluster.GPU, at int, path uint64) {
	var links []int32
	if n := len(p.runs); n < cap(p.runs) {
		links = p.runs[:n+1][n].links[:0] // memory of a former instant
	}
	links = v.Links().Crosses(links, j, gpus, path)
	r := run{job: j, gpus: gpus, at: at, path: path, links: links}
	if len(links) > 0 {
		if period, ok := v.Links().Period(j, sim.Placement{GPUs: gpus}); ok && period.TransferS > 0 {
			r.pattern = Pattern(period)
			r.intensity = Intensity(float64(len(gpus)), r.pattern)
			p.runs = append(p.runs, r)
			return
		}
	}
	if n := len(p.runs); n < cap(p.runs) {
		p.runs[:n+1][n].links = links
	}
}

// apply writes paths and levels into the decisions of this instant, which begin at first, and adds
// Tunes of other jobs where they changed.
func (p *Policy) apply(v *sim.View, out []sim.Decision, first int) []sim.Decision {
	for i := range p.runs {
		r := &p.runs[i]
		if r.at > 0 {
			d := &out[first+r.at-1]
			d.LinkLevel, d.Path = r.level, r.path
			continue
		}
		if now := v.Run(r.job).Knobs(); now.LinkLevel != r.level || now.Path != r.path {
			out = append(out, sim.Decision{Kind: sim.Tune, Job: r.job, Knobs: sim.Knobs{LinkLevel: r.level, Path: r.path}})
		}
	}
	return out
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.host, c.draws = p.host.Copy(), p.draws.Clone()
	c.runs, c.gone, c.rank = nil, nil, ranks{}
	return &c
}
