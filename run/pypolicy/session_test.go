package pypolicy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// caller is a program that decides through Do, as Python does.
type caller func(s *Session, w []int64) error

func (c caller) Decide(s *Session) error { return c(s, make([]int64, s.Room())) }
func (caller) Clone(_, _ *Session) error { return nil }
func (caller) End(*Session)              {}

// ask does one operation.
func ask(s *Session, w []int64, op int) error {
	s.Do(op, w)
	if w[0] != 0 {
		text := make([]byte, w[1])
		for i := range text {
			text[i] = byte(w[fixed+i/8] >> (8 * (i % 8)))
		}
		return errors.New(string(text))
	}
	return nil
}

// number finds a column.
func number(name string) int64 {
	return int64(slices.IndexFunc(Columns(), func(c Column) bool { return c.Name == name }))
}

// column reads a column of the jobs that wait or run into the list.
func column(s *Session, w []int64, table int64, name string) error {
	w[1], w[2], w[3] = table, number(name), 0
	return ask(s, w, opColumn)
}

// fifo starts in the order of arrival until one does not fit.
func fifo(s *Session, w []int64) error {
	if err := column(s, w, 0, "job"); err != nil {
		return err
	}
	w[2], w[3] = 0, 1
	return ask(s, w, opFill)
}

// lastFirst has the jobs that came last run first, and preempts for them.
func lastFirst(s *Session, w []int64) error {
	var all []int64
	for table := range int64(2) {
		if err := column(s, w, table, "job"); err != nil {
			return err
		}
		all = append(all, w[fixed:fixed+w[1]]...)
	}
	slices.SortFunc(all, func(a, b int64) int { return int(b - a) })
	w[1], w[2], w[3] = int64(copy(w[fixed:], all)), 0, 1
	return ask(s, w, opRebuild)
}

func policyOf(c caller, knows know.Set) func() sim.Policy {
	return func() sim.Policy { return New(0, knows, cluster.BestFit, c) }
}

// The suite of policies: invariants, reproducible runs, runs from a snapshot in the middle.
func TestConformance(t *testing.T) {
	for name, c := range map[string]caller{"fifo": fifo, "last first": lastFirst} {
		t.Run(name, func(t *testing.T) {
			simtest.Policy(t, policyOf(c, 0), simtest.Options{Allocates: true, Seeds: 100})
		})
	}
}

// both is two policies that shall decide the same.
type both struct {
	sim.Policy
	twin sim.Policy
	t    *testing.T
}

// Decide implements sim.Policy.
func (b both) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	want := fmt.Sprint(b.twin.Decide(v, nil))
	out = b.Policy.Decide(v, out)
	if got := fmt.Sprint(out); got != want {
		b.t.Errorf("at %v: %v\nexpected %v", v.Now(), got, want)
	}
	return out
}

// One that asks what it declares decides as its twin of the catalogue does.
func TestTwin(t *testing.T) {
	for seed := range uint64(40) {
		err := simtest.Try(func() sim.Policy {
			p, err := queueing.NewFIFO(param.Parse("policy fifo", ""), cluster.BestFit)
			if err != nil {
				t.Fatal(err)
			}
			return both{policyOf(fifo, 0)(), p, t}
		}, seed, simtest.Options{Alone: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// What is asked in a wrong way is an error with a text, and no decision.
func TestRefusals(t *testing.T) {
	ops := map[string]func(s *Session, w []int64) error{
		"work_s is not declared, expected the permission \"work\"": func(s *Session, w []int64) error {
			return column(s, w, 0, "work_s")
		},
		"column 9999, expected 0 to": func(s *Session, w []int64) error {
			w[1], w[2], w[3] = 0, 9999, 0
			return ask(s, w, opColumn)
		},
		"operation 99, expected one of this version": func(s *Session, w []int64) error { return ask(s, w, 99) },
		"job number 1000000, expected one that waits": func(s *Session, w []int64) error {
			w[2] = 1000000
			return ask(s, w, opHeld)
		},
		"a list of -1, expected at most": func(s *Session, w []int64) error {
			w[1], w[2] = -1, 0
			return ask(s, w, opFill)
		},
		"place rule 77, expected one of any": func(s *Session, w []int64) error {
			w[1], w[2] = 0, 77
			return ask(s, w, opFill)
		},
		"gpus has no names": func(s *Session, w []int64) error {
			w[2] = number("gpus")
			return ask(s, w, opNames)
		},
	}
	for want, op := range ops {
		err := simtest.Try(policyOf(func(s *Session, w []int64) error {
			err := op(s, w)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, expected %s", err, want)
			}
			return fifo(s, w)
		}, 0), 2, simtest.Options{Alone: true})
		if err != nil {
			t.Error(err)
		}
	}
}

// The end of a decision ends what Do serves.
func TestOver(t *testing.T) {
	var kept *Session
	p := policyOf(func(s *Session, w []int64) error {
		kept = s
		return fifo(s, w)
	}, 0)
	if err := simtest.Try(p, 2, simtest.Options{Alone: true}); err != nil {
		t.Fatal(err)
	}
	if err := ask(kept, make([]int64, 1000), opShares); !errors.Is(err, errOver) && err.Error() != errOver.Error() {
		t.Errorf("%v", err)
	}
}

// A job that has not come is refused in a list, and jobs that have come never are.
func TestPendingJobs(t *testing.T) {
	for seed := range uint64(20) {
		err := simtest.Try(policyOf(func(s *Session, w []int64) error {
			for j := range s.view.NumJobs() {
				come := s.view.Run(sim.JobID(j)).State() != sim.Pending
				w[1], w[2], w[fixed] = 1, number("gpus"), int64(j)
				if err := ask(s, w, opOf); (err == nil) != come {
					t.Fatalf("seed %d, job %d of %d, come %v: %v", seed, j, s.come, come, err)
				}
			}
			return fifo(s, w)
		}, 0), seed, simtest.Options{Alone: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}
