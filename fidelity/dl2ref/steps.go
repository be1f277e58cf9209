package dl2ref

import (
	"errors"
	"fmt"
	"slices"

	"tarry/env/grow/dl2"
	"tarry/fidelity/reference"
)

// demo is a task that DRF gives, and the state before.
type demo struct {
	Slot, Action int
	State        [][]float64
}

// demos compares DRF's tasks and the states before them.
func (c *comparer) demos() error {
	want, err := reference.List[demo](c.Set, demosFile)
	if err != nil {
		return err
	}
	w, err := c.world()
	if err != nil {
		return err
	}
	at, state := 0, make([]float64, dl2.Rows*c.setting.Window)
	note := func(err error) {
		c.Row("demonstrations", c.File(demosFile), at, err)
		at++
	}
	for at < len(want) && !w.Ended() {
		w.Open()
		w.DRF(func(j int, server bool) {
			if at >= len(want) {
				return
			}
			action := w.Column(j)
			if action >= 0 {
				action *= dl2.Kinds
				if server {
					action++
				}
			}
			x := &want[at]
			if w.State(state); w.Slot != x.Slot || action != x.Action {
				note(fmt.Errorf("action %d in slot %d, there %d in %d", action, w.Slot, x.Action, x.Slot))
				return
			}
			note(c.same(state, x.State))
		})
		w.Close()
	}
	for at < len(want) {
		note(errors.New("all jobs have ended"))
	}
	return nil
}

// same compares a state with one that has its rows one after another.
func (c *comparer) same(got []float64, want [][]float64) error {
	if len(want) != dl2.Rows {
		return fmt.Errorf("%d rows, expected %d", len(want), dl2.Rows)
	}
	for i, row := range want {
		if len(row) != c.setting.Window {
			return fmt.Errorf("row %d has %d columns, expected %d", i, len(row), c.setting.Window)
		}
		for k, x := range row {
			if got[k*dl2.Rows+i] != x {
				return fmt.Errorf("row %d, column %d is %v, there %v", i, k, got[k*dl2.Rows+i], x)
			}
		}
	}
	return nil
}

// step is a step of an agent whose probabilities are given.
type step struct {
	demo
	Window []int
	Prob   []float64
	Zero   []int `json:"masked_zero"`
	Ended  bool  `json:"slot_ended"`
	Kept   bool  `json:"kept_as_sample"`
	Reward float64
}

// steps compares the scripted steps.
func (c *comparer) steps() error {
	want, err := reference.List[step](c.Set, stepsFile)
	if err != nil {
		return err
	}
	w, err := c.world()
	if err != nil {
		return err
	}
	w.Prepare()
	for i := range want {
		c.Row("steps", c.File(stepsFile), i, c.step(w, &want[i]))
	}
	return nil
}

// step takes a step and compares what it saw and led to.
func (c *comparer) step(w *dl2.World, want *step) error {
	state, mask := make([]float64, dl2.Rows*c.setting.Window), make([]bool, dl2.Kinds*c.setting.Window)
	switch {
	case w.Ended():
		return errors.New("all jobs have ended")
	case len(want.Prob) != len(mask)+1:
		return fmt.Errorf("%d probabilities, expected %d", len(want.Prob), len(mask)+1)
	}
	window := make([]int, c.setting.Window)
	for k, j := range w.Window() {
		window[k] = w.Jobs()[j].ID
	}
	if w.Slot != want.Slot || !slices.Equal(window, want.Window) {
		return fmt.Errorf("slot %d with %v, there %d with %v", w.Slot, window, want.Slot, want.Window)
	}
	w.State(state)
	any := w.Mask(mask)
	got := step{Zero: []int{}}
	got.Action = -1
	for a, p := range want.Prob {
		legal := a == len(mask) || mask[a]
		if !legal && p > 0 {
			got.Zero = append(got.Zero, a)
		}
		if legal && any && (got.Action < 0 || p > want.Prob[got.Action]) {
			got.Action = a
		}
	}
	got.Ended, got.Kept = true, any
	switch {
	case got.Action < 0 || got.Action == len(mask):
		w.End()
	default:
		fits := w.Act(got.Action/dl2.Kinds, got.Action%dl2.Kinds)
		got.Ended, got.Kept = !fits, fits
	}
	if got.Ended {
		got.Reward = w.Reward
	}
	if got.Action != want.Action || got.Ended != want.Ended || got.Kept != want.Kept || got.Reward != want.Reward {
		return fmt.Errorf("action %d, ended %v, kept %v, reward %v; there %d, %v, %v, %v", got.Action, got.Ended, got.Kept,
			got.Reward, want.Action, want.Ended, want.Kept, want.Reward)
	}
	if !slices.Equal(got.Zero, want.Zero) {
		return fmt.Errorf("the mask removes %v, there %v", got.Zero, want.Zero)
	}
	return c.same(state, want.State)
}
