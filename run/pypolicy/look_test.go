package pypolicy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/simtest"
)

// looker decides as fifo does, and looks at each state with a session of its own.
func looker(looked *int) func() sim.Policy {
	return policyOf(func(s *Session, w []int64) error {
		of := NewLook(know.Done)
		of.Look(s.view)
		if err := agree(of, s.view); err != nil {
			return err
		}
		*looked++
		return fifo(s, w)
	}, 0)
}

// agree compares what a session that looks has with the state, and has it refuse to decide.
func agree(s *Session, v *sim.View) error {
	w := make([]int64, s.Room())
	if err := ask(s, w, opHeader); err != nil {
		return err
	}
	running := slices.Clone(v.Running())
	slices.Sort(running)
	if w[headWaiting] != int64(v.Waiting()) || !slices.Equal(s.running.jobs, running) ||
		!slices.IsSorted(s.waiting.jobs) {
		return fmt.Errorf("%d wait and %v run, expected %d and %v", w[headWaiting], s.running.jobs, v.Waiting(), running)
	}
	for _, op := range []int{opDecide, opFill, opRebuild, opPlace} {
		if err := ask(s, w, op); err == nil || !strings.Contains(err.Error(), "decisions by actions") {
			return fmt.Errorf("operation %d gives %w, expected a refusal", op, err)
		}
	}
	return nil
}

// TestLook: a session that looks has the jobs of the state, and refuses to decide.
func TestLook(t *testing.T) {
	looked := 0
	simtest.Policy(t, looker(&looked), simtest.Options{Allocates: true, Seeds: 20})
	if looked < 100 {
		t.Errorf("%d looks, expected more", looked)
	}
}
