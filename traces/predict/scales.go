package predict

import (
	"maps"
	"math"

	"tarry/sim"
)

// scales puts jobs in classes by how large the error of their prediction is expected to be: by the
// errors of jobs of the same size, user, and both. One law of errors for all jobs covers what it
// states of all together, and too little of some users' jobs, too much of others'. A law for each
// class covers it of both (normalised and Mondrian conformal prediction; Vovk, Gammerman and Shafer,
// Algorithmic Learning in a Random World, 2005, sections 2.3 and 4.5).
//
// Errors and classes are as stated at each submit, from what had ended by then.
type scales struct {
	of   *means // of the logarithm of errors
	said map[sim.JobID]stated
}

// stated is what was predicted of a job at its submit, and its class.
type stated struct {
	y     float64
	class int
}

const (
	scaleShrink = 4
	scaleMemory = 200
	scaleSteps  = 2    // classes per factor of e
	leastError  = 0.05 // smaller ones count as this
)

func newScales() *scales {
	return &scales{newMeans(scaleShrink, scaleMemory, everyone, bySize, byUser, byUserSize), map[sim.JobID]stated{}}
}

// class is a job's: 0 has the smallest errors.
func (s *scales) class(j *sim.Job) int {
	y, ok := s.of.point(j)
	if !ok {
		return 0
	}
	return max(0, min(classes-1, int(math.Round(float64(scaleSteps*(y-math.Log(leastError)))))))
}

// say notes what is predicted of a job, and gives its class.
func (s *scales) say(id sim.JobID, j *sim.Job, y float64) int {
	c := s.class(j)
	s.said[id] = stated{y, c}
	return c
}

// hear gives the error of a job that has ended, and its class; ok is false where there was no
// prediction.
func (s *scales) hear(id sim.JobID, j *sim.Job, y float64) (class int, e float64, ok bool) {
	was, ok := s.said[id]
	if !ok {
		return 0, 0, false
	}
	delete(s.said, id)
	e = y - was.y
	s.add(j, e)
	return was.class, e, true
}

func (s *scales) add(j *sim.Job, e float64) { s.of.add(j, math.Log(math.Max(leastError, math.Abs(e)))) }

func (s *scales) clone() *scales { return &scales{s.of.clone().(*means), maps.Clone(s.said)} }
