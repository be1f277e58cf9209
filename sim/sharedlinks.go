package sim

import (
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/network"
)

// meeting is a Coupled model that states its links and who crosses them.
type meeting interface {
	// Links is the number of links, Paths the number of paths between two racks; 0 = a tree.
	Links() int
	Paths() int
	// LinkJobs are the running jobs that cross a link, LinkUse is how busy it is, 0..1.
	LinkJobs(link int32) []JobID
	LinkUse(link int32) float64
	// Crosses appends the links that a job would cross.
	Crosses(dst []int32, id JobID, gpus []cluster.GPU, path uint64) []int32
	// Period is one iteration of a job alone.
	Period(q *Query) (network.Period, error)
}

// Links is what a policy sees of the links that running jobs share, valid as long as its View. Links
// are numbered from 0: machines' uplinks by machine, then what lies between racks (package links).
type Links struct {
	v *View
	m meeting // nil = the speed model has none
}

// Links shows shared links; there are none where the speed model has none.
func (v *View) Links() Links {
	m, _ := v.e.coupled.(meeting)
	return Links{v, m}
}

// Count is the number of links; 0 where the speed model has none.
func (l Links) Count() int {
	if l.m == nil {
		return 0
	}
	return l.m.Links()
}

// Paths is the number of paths between two racks that Knobs.Path chooses from, at most 64; 0 where
// the network is a tree, or the speed model has no links.
func (l Links) Paths() int {
	if l.m == nil {
		return 0
	}
	return l.m.Paths()
}

// beginning is a meeting whose jobs may have phases.
type beginning interface {
	Phased() bool
	Began(id JobID, now Time) Time
}

// Phased reports whether the speed of jobs on shared links depends on when their iterations begin.
func (l Links) Phased() bool {
	m, ok := l.m.(beginning)
	return ok && m.Phased()
}

// Began is when the present iteration of a running job began, as an agent of the job measures it, or
// while a Delay lasts when it is to begin. Only where speeds are phased.
func (l Links) Began(j JobID) Time { return l.m.(beginning).Began(j, l.v.e.now) }

// Jobs are the running jobs that cross a link, in no particular (but reproducible) order.
func (l Links) Jobs(link int32) []JobID { return l.m.LinkJobs(link) }

// Use is the part of a link's capacity that running jobs are given, 0..1.
func (l Links) Use(link int32) float64 { return l.m.LinkUse(link) }

// Crosses appends the links that a job would cross on GPUs (ascending) with a set of paths, which is
// as Knobs.Path has it; none where the speed model has no links.
func (l Links) Crosses(dst []int32, j JobID, gpus []cluster.GPU, path uint64) []int32 {
	if l.m == nil {
		return dst
	}
	return l.m.Crosses(dst, j, gpus, path)
}

// Period is one iteration of a job on a placement with its links to itself. It needs know.Speed, else
// ok is false; so it is where the speed model has no links or no answer.
func (l Links) Period(j JobID, p Placement) (period network.Period, ok bool) {
	if l.m == nil || l.v.knows&know.Speed == 0 {
		return network.Period{}, false
	}
	p.Idle = true
	period, err := l.m.Period(l.v.ask(j, &p))
	return period, err == nil
}

// Resumes is the instant from which a running job works: now, or the end of its pause. Where speeds
// are phased an iteration begins there after a Start, a move and a Tune with a Delay.
func (l Links) Resumes(j JobID) Time { return max(l.v.e.now, l.v.e.of(j).settled) }
