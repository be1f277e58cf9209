package dl2ref

import (
	"fmt"
	"os"
	"slices"

	"tarry/env/grow/dl2"
	"tarry/fidelity/reference"
)

// table judges each row of a file, which may be missing.
func (s *set) table(o *reference.Outcome, kind, file string, judge func(l *reference.Line) error,
	columns ...string) error {
	if _, err := os.Stat(s.path(file)); err != nil {
		return nil
	}
	rows, err := reference.ReadRows(s.path(file), columns...)
	if err != nil {
		return err
	}
	o.Reads(s.name(file))
	for row := range rows.Cells {
		l := &reference.Line{Rows: rows, Row: row}
		err := judge(l)
		if err == nil {
			err = l.Err
		}
		if o.One(kind, s.name(file), err == nil); err != nil {
			o.Short = append(o.Short, fmt.Sprintf("%s: row %d: %v", s.name(file), row+1, err))
		}
	}
	return nil
}

// equal compares a cell.
func equal(l *reference.Line, column string, got float64) error {
	if want := l.Number(column); l.Err == nil && got != want {
		return fmt.Errorf("%s is %v, there %v", column, got, want)
	}
	return l.Err
}

// all gives the first fault.
func all(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *set) means(o *reference.Outcome) error {
	return s.table(o, "means", meansFile, func(l *reference.Line) error {
		r, err := s.play(l.Rows.Text(l.Row, "scheduler"))
		if err != nil {
			return err
		}
		sum := 0.0
		for _, x := range r.rewards {
			sum += x
		}
		return all(s.mean(l, r), equal(l, "mean_reward", sum/float64(len(r.rewards))))
	}, "scheduler", "jobs", "mean_jct_slots", "makespan_slots", "mean_reward")
}

// mean compares the numbers that both files of means have.
func (s *set) mean(l *reference.Line, r *run) error {
	last := 0.0
	for _, t := range r.Tasks {
		last = max(last, t.End+1)
	}
	return all(equal(l, "jobs", float64(len(r.Tasks))), equal(l, "mean_jct_slots", r.MeanJCT()),
		equal(l, "makespan_slots", last))
}

func (s *set) rivals(o *reference.Outcome) error {
	return s.table(o, "fair rivals", rivalsFile, func(l *reference.Line) error {
		r, err := s.play(l.Rows.Text(l.Row, "rule"))
		if err != nil {
			return err
		}
		return s.mean(l, r)
	}, "rule", "jobs", "mean_jct_slots", "makespan_slots")
}

func (s *set) ends(o *reference.Outcome) error {
	return s.table(o, "ends", jobsFile, func(l *reference.Line) error {
		r, err := s.play(l.Rows.Text(l.Row, "scheduler"))
		if err != nil {
			return err
		}
		id := l.Count("job")
		j := slices.IndexFunc(r.Jobs(), func(j dl2.Job) bool { return j.ID == id })
		if j < 0 {
			return fmt.Errorf("no job %d", id)
		}
		return all(equal(l, "end_slot", r.Tasks[j].End), equal(l, "jct_slots", r.JCT(j)))
	}, "scheduler", "job", "end_slot", "jct_slots")
}

func (s *set) rewards(o *reference.Outcome) error {
	return s.table(o, "slots", rewardsFile, func(l *reference.Line) error {
		r, err := s.play(l.Rows.Text(l.Row, "scheduler"))
		if err != nil {
			return err
		}
		slot := l.Count("slot")
		if slot < 0 || slot >= len(r.rewards) {
			return fmt.Errorf("slot %d of %d", slot, len(r.rewards))
		}
		return equal(l, "reward", r.rewards[slot])
	}, "scheduler", "slot", "reward")
}

// allocations judges the rows, and that no job of a rule in the file holds more than they state.
func (s *set) allocations(o *reference.Outcome) error {
	seen := map[string]int{}
	err := s.table(o, "allocations", allocationsFile, func(l *reference.Line) error {
		name := l.Rows.Text(l.Row, "scheduler")
		r, err := s.play(name)
		if err != nil {
			return err
		}
		slot, id := l.Count("slot"), l.Count("job")
		seen[name]++
		if slot < 0 || slot >= len(r.held) {
			return fmt.Errorf("slot %d of %d", slot, len(r.held))
		}
		t, ok := r.held[slot][id]
		if !ok {
			return fmt.Errorf("job %d has nothing in slot %d", id, slot)
		}
		return all(equal(l, "workers", float64(t.Workers)), equal(l, "servers", float64(t.Servers)),
			equal(l, "epochs_done_after", t.Done))
	}, "scheduler", "slot", "job", "workers", "servers", "epochs_done_after")
	for name, n := range seen {
		of := 0
		if r := s.played[name]; r != nil {
			for _, held := range r.held {
				of += len(held)
			}
			if of != n {
				o.Short = append(o.Short, fmt.Sprintf("%s: %s has %d allocations, there %d", s.name(allocationsFile), name, of, n))
			}
		}
	}
	return err
}
