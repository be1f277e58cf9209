package dl2ref

import (
	"errors"
	"fmt"
	"slices"

	"tarry/env/grow/dl2"
	"tarry/fidelity/reference"
)

// Columns of numbers that are compared.
const (
	numbers = "jobs mean_jct_slots makespan_slots"
	given   = "workers servers epochs_done_after"
)

func (c *comparer) means() error {
	return c.Each("means", meansFile, "scheduler "+numbers+" mean_reward", func(l *reference.Line) error {
		r, err := c.play(l.Rows.Text(l.Row, "scheduler"))
		if err != nil {
			return err
		}
		sum := 0.0
		for _, x := range r.rewards {
			sum += x
		}
		return errors.Join(c.mean(l, r), c.Cells(l, 0, "mean_reward", sum/float64(len(r.rewards))))
	})
}

// mean compares the numbers that both files of means have.
func (c *comparer) mean(l *reference.Line, r *run) error {
	last := 0.0
	for _, t := range r.Tasks {
		last = max(last, t.End+1)
	}
	return c.Cells(l, 0, numbers, float64(len(r.Tasks)), r.MeanJCT(), last)
}

func (c *comparer) rivals() error {
	return c.Each("fair rivals", rivalsFile, "rule "+numbers, func(l *reference.Line) error {
		r, err := c.play(l.Rows.Text(l.Row, "rule"))
		if err != nil {
			return err
		}
		return c.mean(l, r)
	})
}

func (c *comparer) ends() error {
	return c.Each("ends", jobsFile, "scheduler job end_slot jct_slots", func(l *reference.Line) error {
		r, err := c.play(l.Rows.Text(l.Row, "scheduler"))
		if err != nil {
			return err
		}
		id := l.Count("job")
		j := slices.IndexFunc(r.Jobs(), func(j dl2.Job) bool { return j.ID == id })
		if j < 0 {
			return fmt.Errorf("no job %d", id)
		}
		return c.Cells(l, 0, "end_slot jct_slots", r.Tasks[j].End, r.JCT(j))
	})
}

func (c *comparer) rewards() error {
	return c.Each("slots", rewardsFile, "scheduler slot reward", func(l *reference.Line) error {
		r, err := c.play(l.Rows.Text(l.Row, "scheduler"))
		if err != nil {
			return err
		}
		slot := l.Count("slot")
		if slot < 0 || slot >= len(r.rewards) {
			return fmt.Errorf("slot %d of %d", slot, len(r.rewards))
		}
		return c.Cells(l, 0, "reward", r.rewards[slot])
	})
}

// allocations judges the rows, and that no job of a rule in the file holds more than they state.
func (c *comparer) allocations() error {
	seen := map[string]int{}
	err := c.Each("allocations", allocationsFile, "scheduler slot job "+given, func(l *reference.Line) error {
		name := l.Rows.Text(l.Row, "scheduler")
		r, err := c.play(name)
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
		return c.Cells(l, 0, given, float64(t.Workers), float64(t.Servers), t.Done)
	})
	for name, n := range seen {
		of := 0
		if r := c.played[name]; r != nil {
			for _, held := range r.held {
				of += len(held)
			}
			if of != n {
				c.Short = append(c.Short, fmt.Sprintf("%s: %s has %d allocations, there %d", c.File(allocationsFile), name, of, n))
			}
		}
	}
	return err
}
