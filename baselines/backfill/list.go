package backfill

import (
	"cmp"
	"iter"
	"slices"

	"tarry/sim"
)

// Ending is a running job and when it is expected to end.
type Ending struct {
	At    sim.Time
	Job   sim.JobID
	Start sim.Time
}

// Ends keeps the running jobs by (expected end, JobID). A job that outlives its estimate is
// extended: its estimate doubles until the end lies ahead. Adding and dropping a job cost the
// endings of a chunk and the logarithm of the chunks. The zero value is empty.
type Ends struct {
	chunks [][]Ending // in order, none is empty
	spare  [][]Ending
	at     []sim.Time // job -> its expected end; 0 = it is not in the list
}

const chunkEnds = 128

// All gives the endings in order. The list must not change meanwhile.
func (e *Ends) All() iter.Seq[Ending] {
	return func(yield func(Ending) bool) {
		for _, k := range e.chunks {
			for _, x := range k {
				if !yield(x) {
					return
				}
			}
		}
	}
}

// Add notes a job that starts and when it is expected to end, at > 0. It must not be in the list.
func (e *Ends) Add(j sim.JobID, start, at sim.Time) {
	if n := int(j) + 1; n > len(e.at) {
		e.at = append(e.at, make([]sim.Time, n-len(e.at))...)
	}
	e.at[j] = at
	x := Ending{At: at, Job: j, Start: start}
	if len(e.chunks) == 0 {
		e.chunks = append(e.chunks, append(e.empty(), x))
		return
	}
	c := e.chunk(x)
	if len(e.chunks[c]) == chunkEnds {
		k := e.chunks[c]
		e.chunks = slices.Insert(e.chunks, c+1, append(e.empty(), k[chunkEnds/2:]...))
		e.chunks[c] = k[:chunkEnds/2]
		if compareEnds(e.chunks[c+1][0], x) < 0 {
			c++
		}
	}
	i, _ := slices.BinarySearchFunc(e.chunks[c], x, compareEnds)
	e.chunks[c] = slices.Insert(e.chunks[c], i, x)
}

// Drop removes a job that ended; false where it is not in the list.
func (e *Ends) Drop(j sim.JobID) (Ending, bool) {
	if int(j) >= len(e.at) || e.at[j] == 0 {
		return Ending{}, false
	}
	x := Ending{At: e.at[j], Job: j}
	c := e.chunk(x)
	i, _ := slices.BinarySearchFunc(e.chunks[c], x, compareEnds)
	x = e.chunks[c][i]
	e.remove(c, i)
	return x, true
}

// remove takes an ending out, and its chunk if that is nearly empty.
func (e *Ends) remove(c, i int) {
	k := e.chunks[c]
	e.at[k[i].Job] = 0
	k = slices.Delete(k, i, i+1)
	e.chunks[c] = k
	switch {
	case len(k) == 0:
		e.drop(c)
	case c > 0 && len(k)+len(e.chunks[c-1]) <= chunkEnds/2:
		e.chunks[c-1] = append(e.chunks[c-1], k...)
		e.drop(c)
	}
}

// chunk is the chunk to which an ending belongs, of at least one.
func (e *Ends) chunk(x Ending) int {
	c, found := slices.BinarySearchFunc(e.chunks, x, func(k []Ending, x Ending) int { return compareEnds(k[0], x) })
	if !found && c > 0 {
		c--
	}
	return c
}

func compareEnds(a, b Ending) int {
	if a.At != b.At {
		return cmp.Compare(a.At, b.At)
	}
	return cmp.Compare(a.Job, b.Job)
}

// empty is a chunk without endings.
func (e *Ends) empty() []Ending {
	n := len(e.spare)
	if n == 0 {
		return make([]Ending, 0, chunkEnds)
	}
	k := e.spare[n-1]
	e.spare = e.spare[:n-1]
	return k
}

func (e *Ends) drop(c int) {
	e.spare = append(e.spare, e.chunks[c][:0])
	e.chunks = slices.Delete(e.chunks, c, c+1)
}

// Clone gives an independent copy.
func (e *Ends) Clone() (c Ends) {
	c.CopyFrom(e)
	return c
}

// CopyFrom makes e equal to another list, in its own memory.
func (e *Ends) CopyFrom(o *Ends) {
	for len(e.chunks) > 0 {
		e.drop(len(e.chunks) - 1)
	}
	for _, k := range o.chunks {
		e.chunks = append(e.chunks, append(e.empty(), k...))
	}
	e.at = append(e.at[:0], o.at...)
}
