package deeprmref

import (
	"encoding/json"
	"fmt"
	"strconv"

	"tarry/env/classic/deeprm/slots"
	"tarry/fidelity/reference"
)

// step is what is seen before an action, the action and its reward.
type step struct {
	Rate       json.Number
	Time       int
	Slots      [][]int // job, length and needs; nil = empty
	Backlog    int
	Free       [][slots.Resources]int
	Ones       []int   `json:"ones_per_column"`
	LastColumn float64 `json:"last_column"`
	Action     int
	Reward     float64
}

// steps compares observations, of which a set may have none: a machine for each rate takes the action
// that SJF gives, which is to be the file's.
func (c *comparer) steps() error {
	steps, err := reference.List[step](c.Set, observationsFile)
	if err != nil {
		return err
	}
	file := c.File(observationsFile)
	machines := map[json.Number]*slots.Machine{}
	for row := range steps {
		s := &steps[row]
		if machines[s.Rate] == nil {
			rate, err := strconv.ParseFloat(string(s.Rate), 64)
			if err != nil {
				return fmt.Errorf("%s: step %d: rate %q, expected a number", file, row+1, s.Rate)
			}
			if machines[s.Rate], err = c.begin(list{string(s.Rate), "0"}, rate); err != nil {
				return fmt.Errorf("%s: step %d: %w", file, row+1, err)
			}
		}
		c.Row("steps", file, row, c.step(machines[s.Rate], s))
	}
	return nil
}

func (c *comparer) step(m *slots.Machine, s *step) error {
	if m.Ended() {
		return fmt.Errorf("the run has ended at %d", m.Now)
	}
	width := m.Width()
	cells, ones := make([]float64, m.Horizon*width), make([]int, width)
	m.Image(cells)
	for i, x := range cells {
		if x != 0 {
			ones[i%width]++
		}
	}
	visible := make([][]int, m.Slots)
	for i, job := range m.Visible {
		if job != slots.Nowhere {
			visible[i] = append([]int{job, m.Jobs[job].Length}, m.Jobs[job].Need[:]...)
		}
	}
	free := m.Free[:min(len(s.Free), m.Horizon)]
	const form = "time %v, slots %v, backlog %v, free %v, ones %v"
	seen := fmt.Sprintf(form, m.Now, visible, m.Backlogged(), free, ones)
	there := fmt.Sprintf(form, s.Time, s.Slots, s.Backlog, s.Free, s.Ones)
	action := slots.Rules()[0].Choose(m)
	last := cells[width-1]
	reward, _ := m.Act(action)
	switch {
	case seen != there:
		return fmt.Errorf("%s; there %s", seen, there)
	case last != s.LastColumn:
		return fmt.Errorf("the last column is %v, there %v", last, s.LastColumn)
	case action != s.Action:
		return fmt.Errorf("the action is %d, there %d", action, s.Action)
	}
	return c.Near("the reward", reward, s.Reward, within)
}
