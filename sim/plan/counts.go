package plan

import (
	"slices"

	"tarry/sim"
)

// Counts are the numbers of GPUs that a job can use: from Lo to Hi by Unit.
type Counts struct {
	Lo, Hi, Unit int
	// Speed is Curves.Of's at each count. It must not be changed.
	Speed []float64
	// Type is the index of the job's GPU type; -1 = any.
	Type int
	// Wide states that no type alone has Lo GPUs: the speed on so many is not known, and Speed has
	// Lo itself there.
	Wide bool
}

// Counts gives the numbers of GPUs that a job can use, with its speeds.
func (c *Curves) Counts(v *sim.View, j sim.JobID) Counts {
	n := Counts{Unit: v.Job(j).WorkerGPUs(), Type: -1, Speed: c.Of(v, j)}
	if types := v.Topology().Types(); len(types) == 1 {
		n.Type = 0
	} else if v.Job(j).GPUType() != "" {
		n.Type = slices.Index(types, v.Job(j).GPUType())
	}
	n.Lo, n.Hi = v.Job(j).Range()
	if n.Wide = n.Lo >= len(n.Speed); n.Wide {
		n.Speed = c.beyond(n.Lo)
	}
	n.Hi = min(n.Hi, len(n.Speed)-1)
	n.Hi -= (n.Hi - n.Lo) % n.Unit
	return n
}

// beyond is a speed of n on n GPUs and 0 on fewer.
func (c *Curves) beyond(n int) []float64 {
	if c.wide[n] == nil {
		if c.wide == nil {
			c.wide = map[int][]float64{}
		}
		c.wide[n] = make([]float64, n+1)
		c.wide[n][n] = float64(n)
	}
	return c.wide[n]
}
