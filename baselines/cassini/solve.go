package cassini

import (
	"tarry/baselines/cassini/circle"
)

// solver is the circles of a component, and its graph.
type solver struct {
	circle  circle.Circle
	graph   circle.Graph
	periods []int64
	demands []circle.Job
	arcs    []circle.Arc
	local   []int32 // members of a link, counted from the first of the component
	shifts  []int64
	actual  []int64
	apart   []int64
	parts   []float64
	clear   bool // no two transfers have met so far
}

// result is how a component comes out.
type result struct {
	sum    float64 // of the scores of its links
	links  int
	loops  bool
	common bool // its iterations have a common perimeter
	clear  bool // no two transfers meet, and that gains more than the perimeter costs
}

// solve finds the best shifts of each link of the component that is not covered, and the graph of
// these links. Jobs ask each link for all of it while they transfer. Where the iterations have no
// common perimeter, a link's score is the mean over all shifts.
//
// A job without slots may meet the transfers of any other, so that all jobs of a component have slots
// or none. None have where slots cost more than they can gain: where iterations are lengthened, all
// together, by a larger part than the part of the time in which transfers would meet at random.
func (n *network) solve() (r result) {
	members, s := n.members[n.first:], &n.solver
	s.periods = s.periods[:0]
	for i := range members {
		s.periods = append(s.periods, max(1, members[i].soloUS))
	}
	perimeter, ok := n.cfg.limits.Unify(s.periods)
	r.common, s.clear = ok, ok
	for i := range members {
		members[i].periodUS = s.periods[i]
	}
	longer, meet := 0.0, 0.0
	for i := range members {
		longer += float64(s.periods[i])/float64(max(1, members[i].soloUS)) - 1
	}
	s.graph.Reset(len(members))
	for i := n.firstLink; i < len(n.links); i++ {
		l := &n.links[i]
		if l.covered {
			continue
		}
		r.links++
		s.local, s.shifts = s.local[:0], s.shifts[:0]
		for _, m := range n.on[l.from:l.to] {
			s.local, s.shifts = append(s.local, m-int32(n.first)), append(s.shifts, circle.Unset)
		}
		random := s.random(members)
		if meet += 1 - random; ok {
			random = s.rotate(n.cfg.angles, perimeter, members)
		}
		r.sum += random
		s.graph.Link(s.local, s.shifts)
	}
	r.clear = s.clear && longer <= meet
	r.loops = s.graph.Loops()
	return r
}

// random is the score of a link at random times.
func (s *solver) random(members []member) float64 {
	s.parts = s.parts[:0]
	for _, i := range s.local {
		m := &members[i]
		s.parts = append(s.parts, float64(m.lengthUS)/float64(max(1, m.soloUS)))
	}
	return circle.Random(s.parts)
}

// rotate finds the best shifts of a link and its score. Jobs stay where they are if no two transfers
// meet there. Else jobs that were aligned stay unless a better score wants them elsewhere, and the
// others find their places beside them. Transfers may meet between two angles: then shifts are wanted
// at which transfers that are an angle longer do not.
func (s *solver) rotate(angles int, perimeter int64, members []member) float64 {
	s.actual = s.actual[:0]
	known := true
	for k, i := range s.local {
		m := &members[i]
		known = known && m.tick != circle.Unset
		s.actual = append(s.actual, m.tick%perimeter*int64(angles))
		if m.aligned {
			s.shifts[k] = s.actual[k]
		}
	}
	s.open(angles, perimeter, 0, members)
	if known && s.circle.Average(s.actual) == 1 {
		copy(s.shifts, s.actual)
		return 1
	}
	s.apart = append(s.apart[:0], s.shifts...)
	score, _ := s.circle.Best(s.shifts)
	if s.circle.Average(s.shifts) == 1 {
		return score
	}
	if score > 1-1e-9 {
		s.open(angles, perimeter, (perimeter+int64(angles)-1)/int64(angles), members)
		s.circle.Best(s.apart)
		s.open(angles, perimeter, 0, members)
		if s.circle.Average(s.apart) == 1 {
			copy(s.shifts, s.apart)
			return score
		}
	}
	s.clear = false
	return score
}

// open begins the circle of a link with transfers that are longer by so much.
func (s *solver) open(angles int, perimeter, more int64, members []member) {
	s.demands, s.arcs = s.demands[:0], s.arcs[:0]
	for _, i := range s.local {
		m := &members[i]
		s.arcs = append(s.arcs, circle.Arc{Start: m.startUS, Length: min(m.periodUS, m.lengthUS+more), Demand: 1})
	}
	for k, i := range s.local {
		s.demands = append(s.demands, circle.Job{Period: members[i].periodUS, Arcs: s.arcs[k : k+1]})
	}
	s.circle.Open(1, angles, s.demands, perimeter)
}
