package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/param"
)

// maxStart bounds the number of a window's first job.
const maxStart = 1 << 31

// readWindows reads the windows that are given by their first jobs. As many replicates are run
// unless replicates states fewer.
func (c *Config) readWindows(s *param.Set) {
	texts := s.Texts("window_starts", c.startsText())
	if s.Has("window_starts") {
		starts := make([]int, 0, len(texts))
		for _, text := range texts {
			at, err := strconv.Atoi(text)
			if err != nil || at < 0 || at > maxStart {
				s.FaultAt("window_starts", "window_starts has %q, expected whole numbers in 0..%d: the first job of "+
					"each window", text, maxStart)
				continue
			}
			starts = append(starts, at)
		}
		if c.WindowStarts = starts; !s.Has("replicates") {
			c.Replicates = max(1, len(starts))
		}
	}
}

// startsText lists WindowStarts as users write them.
func (c *Config) startsText() (out []string) {
	for _, at := range c.WindowStarts {
		out = append(out, strconv.Itoa(at))
	}
	return out
}

// listedRuns makes a replicate of each of the first windows that WindowStarts lists.
func (s *Setup) listedRuns(w *sim.Workload) error {
	c := &s.Config
	at, n := c.At("window_starts"), len(w.Jobs)
	if s.generated() {
		return fmt.Errorf(
			"%swindow_starts with generated jobs, expected a trace: generated jobs have a replicate each", at)
	}
	if c.WindowJobs < 1 {
		return fmt.Errorf("%swindow_jobs is %d, expected the number of jobs of a window, >= 1", c.At("window_jobs"),
			c.WindowJobs)
	}
	if c.Replicates > len(c.WindowStarts) {
		return fmt.Errorf("%sreplicates is %d, expected at most the %d windows of window_starts", c.At("replicates"),
			c.Replicates, len(c.WindowStarts))
	}
	var errs []error
	for r, first := range c.WindowStarts[:c.Replicates] {
		if first+c.WindowJobs > n {
			errs = append(errs, fmt.Errorf("%swindow %d has the jobs %d to %d, expected numbers below %d: the trace "+
				"has so many jobs", at, r, first, first+c.WindowJobs-1, n))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for r, first := range c.WindowStarts[:c.Replicates] {
		origins := append(slices.Clone(w.Origins), origin.Origin{Field: "submit",
			Source: fmt.Sprintf("jobs %d to %d of %d, at the times of the trace", first, first+c.WindowJobs-1, n)})
		part, err := sim.NewWorkload(w.Name, slices.Clone(w.Jobs[first:first+c.WindowJobs]), origins...)
		if err != nil {
			return err
		}
		part, note, err := s.Prepare(part, s.source(r))
		if err != nil {
			return err
		}
		if note != "" && r == 0 {
			s.Notes = append(s.Notes, note)
		}
		run, err := s.newRun(part, r)
		if err != nil {
			return err
		}
		if run.Predictor, err = s.PredictorOf(endedBefore(w.Jobs, first), s.source(r)); err != nil {
			return err
		}
		s.Runs = append(s.Runs, run)
	}
	s.Notes = append(s.Notes, fmt.Sprintf("window_starts: %d windows of %d of the trace's %d jobs, at the times of "+
		"the trace", c.Replicates, c.WindowJobs, n))
	return nil
}
