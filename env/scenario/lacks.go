package scenario

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"tarry/sim"
)

// maxLacking is how many models CheckModels reports.
const maxLacking = 20

// tabled is a speed model that has speeds of some models alone.
type tabled interface {
	// Lacks is the error that Speed gives for a job whatever GPUs it has; nil = it has a speed.
	Lacks(j *sim.Job) error
}

// CheckModels reports models of jobs of which the speed model has no speed, up to 20, so that they
// are refused before anything is simulated. places states where in the trace a model stands, as
// entry.Report has it; models without a place are reported by their job. Jobs that Prepare gives a
// model pass.
func (s *Setup) CheckModels(places map[string]string, of ...*sim.Workload) error {
	if s.Topology == nil || s.models == nil {
		return nil
	}
	m, _, err := s.bottom()
	speeds, ok := m.(tabled)
	if err != nil || !ok {
		return err
	}
	var errs []error
	for j := range oneOfEach(of) {
		if j.Model == "" && s.Names() {
			continue
		}
		err := speeds.Lacks(j)
		if at := places[j.Model]; err != nil && at != "" {
			err = fmt.Errorf("%s: %w", at, err)
		}
		if err != nil {
			errs = append(errs, err)
		}
		if len(errs) == maxLacking {
			break
		}
	}
	if len(errs) > 0 {
		errs = append(errs, errors.New(s.waysOut()))
	}
	return errors.Join(errs...)
}

// waysOut states what to do about models that the speed model does not have.
func (s *Setup) waysOut() string {
	const needsNone = "a speed model that needs none (--speed counting)"
	switch kind, _ := s.from.Speeds.Find(s.Scenario.Speed); {
	case kind.First == "":
		return "ways out: a model that stands in (--models NAME), " + needsNone + ", or a profile of your own (--profile " +
			"FILE.yaml); tarry list models has all names"
	case strings.Contains(kind.Form, "model=NAME"):
		return fmt.Sprintf("ways out: a model of the table that stands in (--speed %s:...,model=NAME), %s, or one that "+
			"computes speeds from layers (--speed collective; tarry list models)", kind.Name, needsNone)
	}
	return fmt.Sprintf("ways out: %s, or one that computes speeds from layers (--speed collective; tarry list models)",
		needsNone)
}

// oneOfEach gives of all jobs the first of each model that may run on several GPUs, and the first
// that runs on one.
func oneOfEach(of []*sim.Workload) iter.Seq[*sim.Job] {
	type kind struct {
		model string
		one   bool
	}
	return func(yield func(*sim.Job) bool) {
		seen := map[kind]bool{}
		for _, w := range of {
			for i := range w.Jobs {
				j := &w.Jobs[i]
				k := kind{j.Model, max(j.GPUs, j.MaxGPUs) == 1}
				if seen[k] {
					continue
				}
				if seen[k] = true; !yield(j) {
					return
				}
			}
		}
	}
}

// checkSource is CheckModels for the jobs of a source that lists them.
func (s *Setup) checkSource(src Source) error {
	of, ok := src.(Listed)
	if !ok {
		return nil
	}
	if err := s.CheckModels(s.places, of.Jobs(Train), of.Jobs(Validation), of.Jobs(Test)); err != nil {
		return wrong("trace", "trace: %w", err)
	}
	if note := s.TooWide(of.Jobs(Train), of.Jobs(Validation), of.Jobs(Test)); note != "" {
		s.Notes = append(s.Notes, note)
	}
	if note := s.TooLarge(of.Jobs(Train), of.Jobs(Validation), of.Jobs(Test)); note != "" {
		s.Notes = append(s.Notes, note)
	}
	return nil
}
