package tiresias

import (
	"maps"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// packlimit is PACKLIMIT where it is fixed, and until the first fit.
const packlimit = 0.3

// readPack takes PACKLIMIT: a number, or that it is fitted, and then how. It states what
// contradicts the placement.
func readPack(s *param.Set, place string) (limit float64, fit *fitted) {
	every := sim.Seconds(s.Float("fit_s", 600, 0.001, 1e9))
	limit, fits := s.FloatOr("packlimit", "fit", packlimit, 0, math.Inf(1))
	switch {
	case fits && place != "skew" && place != "skew-waits":
		s.Fault("packlimit=fit belongs to place=skew or skew-waits, and place is %s", place)
	case fits:
		return packlimit, &fitted{every: every, at: map[like]int32{}}
	case s.Has("fit_s"):
		s.Fault("fit_s belongs to packlimit=fit, and packlimit is %v", limit)
	}
	return limit, nil
}

// fitted is PACKLIMIT as a linear classifier of one feature, the skew, fitted on the speeds of the
// policy's own jobs.
type fitted struct {
	every sim.Time
	cells []cell // by skew, then in the order in which they were first seen
	at    map[like]int32
	next  sim.Time // of the next look
}

// like are jobs whose speeds can be compared.
type like struct {
	model string
	gpus  int
	typ   int // of their first GPU
}

// cell is what was observed of jobs that are alike: the sum of their speeds and how often, spread
// and packed.
type cell struct {
	like
	skew  float64
	sum   [2]float64
	times [2]float64
}

// good reports whether packing such jobs makes them faster; seen is false until some were seen
// packed and some spread.
func (c *cell) good() (good, seen bool) {
	if c.times[0] == 0 || c.times[1] == 0 {
		return false, false
	}
	return c.sum[1]*c.times[0] > c.sum[0]*c.times[1], true
}

// look observes the jobs that run, if it is time. It reports whether it did.
func (f *fitted) look(v *sim.View, skew func(*sim.View, sim.JobID) float64) bool {
	if v.Now() < f.next {
		return false
	}
	f.next = v.Now() + f.every
	t := v.Topology()
	room := t.Capacity(cluster.LevelMachine)
	for _, j := range v.Running() {
		held, rate := v.Run(j).Held(), v.Run(j).Speed().Rate
		if len(held) < 2 || rate <= 0 {
			continue
		}
		packed := 0
		if machines(t, held) <= (len(held)+room-1)/room {
			packed = 1
		}
		c := f.cell(like{v.Job(j).Model(), len(held), t.TypeOf(t.Machine(held[0]))}, skew, v, j)
		c.sum[packed] += rate
		c.times[packed]++
	}
	return true
}

// cell finds the cell of jobs, or makes it.
func (f *fitted) cell(of like, skew func(*sim.View, sim.JobID) float64, v *sim.View, j sim.JobID) *cell {
	if i, ok := f.at[of]; ok {
		return &f.cells[i]
	}
	s := skew(v, j)
	i := slices.IndexFunc(f.cells, func(c cell) bool { return c.skew > s })
	if i < 0 {
		i = len(f.cells)
	}
	f.cells = slices.Insert(f.cells, i, cell{like: of, skew: s})
	for k := i; k < len(f.cells); k++ {
		f.at[f.cells[k].like] = int32(k)
	}
	return &f.cells[i]
}

// limit is the PACKLIMIT that calls fewest cells wrong, the least of several: -1, midway between
// two skews, or the largest skew. ok is false as long as there is nothing to fit.
func (f *fitted) limit() (limit float64, ok bool) {
	wrong := 0 // with all packed
	for i := range f.cells {
		if good, seen := f.cells[i].good(); seen {
			if ok = true; !good {
				wrong++
			}
		}
	}
	limit = -1
	least, last := wrong, 2.0 // last is the skew of the cell before
	for i := range f.cells {
		c := &f.cells[i]
		good, seen := c.good()
		if !seen {
			continue
		}
		if c.skew > last && wrong < least {
			least, limit = wrong, (last+c.skew)/2
		}
		if last = c.skew; good {
			wrong++
		} else {
			wrong--
		}
	}
	if wrong < least {
		limit = last
	}
	return limit, ok
}

func machines(t *cluster.Topology, gpus []cluster.GPU) int {
	n, last := 0, -1
	for _, g := range gpus {
		if m := t.Machine(g); m != last {
			n, last = n+1, m
		}
	}
	return n
}

func (f *fitted) clone() *fitted {
	if f == nil {
		return nil
	}
	return &fitted{every: f.every, cells: slices.Clone(f.cells), at: maps.Clone(f.at), next: f.next}
}
