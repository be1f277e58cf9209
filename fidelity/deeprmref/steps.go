package deeprmref

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// judgeSteps compares observations, of which a folder may have none: a machine for each rate takes
// the action that SJF gives, which is to be the file's.
func judgeSteps(o *reference.Outcome, f *reference.Folder, file string, jobs map[list][]slots.Job) error {
	if !slices.Contains(f.Files, file) {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(f.Dir, file))
	if err != nil {
		return err
	}
	var steps []step
	if err := json.Unmarshal(text, &steps); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	machines := map[json.Number]*slots.Machine{}
	for row := range steps {
		s := &steps[row]
		if machines[s.Rate] == nil {
			rate, err := strconv.ParseFloat(string(s.Rate), 64)
			if err != nil {
				return fmt.Errorf("%s: step %d: rate %q, expected a number", file, row+1, s.Rate)
			}
			if machines[s.Rate], err = begin(jobs, list{string(s.Rate), "0"}, rate); err != nil {
				return fmt.Errorf("%s: step %d: %w", file, row+1, err)
			}
		}
		note(o, "steps", file, row, judgeStep(o, machines[s.Rate], s))
	}
	return nil
}

func judgeStep(o *reference.Outcome, m *slots.Machine, s *step) error {
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
	off := reference.Apart(reward, s.Reward)
	if !(off <= within) {
		return fmt.Errorf("the reward is %v, there %v", reward, s.Reward)
	}
	o.Worst = max(o.Worst, off)
	return nil
}
