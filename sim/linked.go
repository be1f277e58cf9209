package sim

import "math"

// Linked passes the shared links of a model on to one that wraps it: the wrapping model embeds it beside its own Speed, and is Coupled then.
// One that asks the model within about another Query than it is asked has a Place of its own.
type Linked struct {
	// Links is the model within; required.
	Links Coupled
}

// Place adds a running job.
func (l *Linked) Place(q *Query) error { return l.Links.Place(q) }

// Remove takes it away.
func (l *Linked) Remove(id JobID) { l.Links.Remove(id) }

// Touched appends the jobs whose speed changed since the last call, ascending, and forgets them.
func (l *Linked) Touched(dst []JobID) []JobID { return l.Links.Touched(dst) }

// Reset forgets all jobs.
func (l *Linked) Reset() { l.Links.Reset() }

// LinkUtil is how busy the links are, 0..1, as the model within says; NaN where it does not say.
func (l *Linked) LinkUtil() float64 {
	if of, ok := l.Links.(interface{ LinkUtil() float64 }); ok {
		return of.LinkUtil()
	}
	return math.NaN()
}
