package sim

import (
	"errors"
	"fmt"
)

// answer asks the speed model about an allocation. Copies are asked for one by one, each on the
// GPUs of its machine as a gang of its own; their progress adds up, and where there are several the
// part of it counts that CopyFrac states.
func (e *Engine) answer(q *Query) (Speed, error) {
	if q.CopyFrac == 0 || len(q.GPUs) == 0 {
		return e.cfg.Speed.Speed(q)
	}
	all, part := q.GPUs, q.CopyFrac
	defer func() { q.GPUs, q.CopyFrac = all, part }()
	sum, frac, n := 0.0, 0.0, 0
	q.CopyFrac = 0
	for i := 0; i < len(all); n++ {
		lo, m := i, e.top.Machine(all[i])
		for ; i < len(all) && e.top.Machine(all[i]) == m; i++ {
		}
		q.GPUs = all[lo:i:i]
		s, err := e.cfg.Speed.Speed(q)
		if err != nil {
			return Speed{}, fmt.Errorf("the copy on machine %d: %w", m, err)
		}
		sum += s.Rate
		frac += float64(s.ComputeFrac * float64(i-lo))
	}
	if n > 1 {
		sum *= part
	}
	return Speed{Rate: sum, ComputeFrac: min(1, frac/float64(len(all)))}, nil
}

// connect adds a job to the links of a coupled model. Copies exchange nothing between machines
// while they run, so they have none.
func (e *Engine) connect(q *Query) error {
	if e.coupled == nil || q.CopyFrac > 0 {
		return nil
	}
	return e.coupled.Place(q)
}

// errSharedCopies refuses copies on parts of GPUs.
var errSharedCopies = errors.New("copies on shares of GPUs, expected whole GPUs where CopyFrac is set")
