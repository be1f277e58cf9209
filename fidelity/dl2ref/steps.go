package dl2ref

import (
	"errors"
	"fmt"
	"os"
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
func (s *set) demos(o *reference.Outcome) error {
	var want []demo
	if err := s.read(demosFile, &want); errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	o.Reads(s.name(demosFile))
	w, err := s.world()
	if err != nil {
		return err
	}
	at, state := 0, make([]float64, dl2.Rows*s.Window)
	note := func(err error) {
		if o.One("demonstrations", s.name(demosFile), err == nil); err != nil {
			o.Short = append(o.Short, fmt.Sprintf("%s: %d: %v", s.name(demosFile), at, err))
		}
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
			note(s.same(state, x.State))
		})
		w.Close()
	}
	for at < len(want) {
		note(errors.New("all jobs have ended"))
	}
	return nil
}

// same compares a state with one that has its rows one after another.
func (s *set) same(got []float64, want [][]float64) error {
	if len(want) != dl2.Rows {
		return fmt.Errorf("%d rows, expected %d", len(want), dl2.Rows)
	}
	for i, row := range want {
		if len(row) != s.Window {
			return fmt.Errorf("row %d has %d columns, expected %d", i, len(row), s.Window)
		}
		for c, x := range row {
			if got[c*dl2.Rows+i] != x {
				return fmt.Errorf("row %d, column %d is %v, there %v", i, c, got[c*dl2.Rows+i], x)
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
func (s *set) steps(o *reference.Outcome) error {
	var want []step
	if err := s.read(stepsFile, &want); errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	o.Reads(s.name(stepsFile))
	w, err := s.world()
	if err != nil {
		return err
	}
	w.Prepare()
	for i := range want {
		err := s.step(w, &want[i])
		if o.One("steps", s.name(stepsFile), err == nil); err != nil {
			o.Short = append(o.Short, fmt.Sprintf("%s: %d: %v", s.name(stepsFile), i, err))
		}
	}
	return nil
}

// step takes a step and compares what it saw and led to.
func (s *set) step(w *dl2.World, want *step) error {
	state, mask := make([]float64, dl2.Rows*s.Window), make([]bool, dl2.Kinds*s.Window)
	switch {
	case w.Ended():
		return errors.New("all jobs have ended")
	case len(want.Prob) != len(mask)+1:
		return fmt.Errorf("%d probabilities, expected %d", len(want.Prob), len(mask)+1)
	}
	window := make([]int, s.Window)
	for c, j := range w.Window() {
		window[c] = w.Jobs()[j].ID
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
	return s.same(state, want.State)
}
