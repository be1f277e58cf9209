package sim

import (
	"fmt"
	"slices"
)

// speed asks the model for a running job's speed. For a coupled model it also places the job.
func (e *Engine) speed(r *run) error {
	q := e.query(r.id, r, r.gpus)
	if e.isReplica(r.id) { // it uses no links
		return e.ask(r, q)
	}
	if err := e.connect(q); err != nil {
		return fmt.Errorf("job %q: %w", e.job(r.id).ID, err)
	}
	return e.ask(r, q)
}

func (e *Engine) ask(r *run, q *Query) error {
	s, err := e.rated(r.id, q)
	if err != nil {
		return err
	}
	r.settle(e.now, e.every)
	r.rate, r.frac = s.Rate, s.ComputeFrac
	if e.progressive != nil && !e.isReplica(r.id) {
		if err := e.aim(r.id, r, q); err != nil {
			return err
		}
	}
	r.predict(e.grid)
	return nil
}

// rated is the model's answer, checked.
func (e *Engine) rated(id JobID, q *Query) (Speed, error) {
	s, err := e.answer(q)
	if err != nil {
		return s, fmt.Errorf("job %q: %w", e.job(id).ID, err)
	}
	if !(s.Rate >= 0) || !(s.ComputeFrac > 0) || s.ComputeFrac > 1 || s.Rate > 1e12 {
		return s, fmt.Errorf("job %q: speed model gave rate %v, compute fraction %v on %d GPUs, expected rate >= 0 "+
			"and a fraction in (0, 1]", e.job(id).ID, s.Rate, s.ComputeFrac, len(q.GPUs))
	}
	return s, nil
}

// jostle marks the jobs that share a GPU with id to be asked again.
func (e *Engine) jostle(r *run) {
	if e.mates.many == 0 && r.share == 1000 {
		return
	}
	id := r.id
	for _, g := range r.gpus {
		if e.used[g] == 0 {
			continue
		}
		n := e.mates.of(int(g))
		if x := e.owner[g]; n == 0 && x != id {
			e.touched = append(e.touched, x)
		}
		for ; n != 0; n = e.mates.nodes[n-1].next {
			if x := e.mates.nodes[n-1].job; x != id {
				e.touched = append(e.touched, x)
			}
		}
	}
}

// moved reports whether the speed of any job may have moved.
func (e *Engine) moved() bool { return e.coupled != nil || len(e.touched) > 0 }

// rerate asks again for every job whose speed may have moved.
func (e *Engine) rerate() error {
	if e.coupled != nil {
		e.touched = e.coupled.Touched(e.touched)
	}
	if len(e.touched) == 0 {
		return nil
	}
	slices.Sort(e.touched)
	e.touched = slices.Compact(e.touched)
	if n := len(e.touched); e.isReplica(e.touched[n-1]) { // first: their use may move jobs beside others
		first, _ := slices.BinarySearch(e.touched, JobID(e.total))
		if err := e.askAll(e.touched[first:]); err != nil {
			return err
		}
		e.touched = slices.Delete(e.touched, first, n)
		slices.Sort(e.touched)
		e.touched = slices.Compact(e.touched)
	}
	if err := e.askAll(e.touched); err != nil {
		return err
	}
	e.touched = e.touched[:0]
	return nil
}

// askAll asks again for each of some jobs that runs.
func (e *Engine) askAll(jobs []JobID) error {
	for _, id := range jobs {
		r := e.of(id)
		if r.state != Running {
			continue
		}
		if err := e.ask(r, e.query(id, r, r.gpus)); err != nil {
			return err
		}
		e.schedule(r)
	}
	return nil
}
