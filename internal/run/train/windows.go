package train

import (
	"encoding/json"
	"fmt"

	"tarry/env"
	"tarry/env/schedenv"
)

// maxWindows bounds the windows of a part: each is made once, to be hashed.
const maxWindows = 10_000

// maxKept bounds the windows of validation that stay in memory. More than that are warmed up each time.
const maxKept = 64

// seen lists the jobs that a run may see, by hash.
type seen struct {
	// Train and Validation have the SHA-256 of each window's jobs, by number; empty where an
	// environment has no windows.
	Train      []string `json:"train"`
	Validation []string `json:"validation"`
	// Trace is the SHA-256 of all jobs of a trace, Jobs the marks of those in its first two parts; "" where
	// jobs are drawn anew for each window.
	Trace string `json:"trace,omitempty"`
	Jobs  string `json:"jobs,omitempty"`
}

// windowsOf hashes what training and validation draw from.
func windowsOf(c *Config) (*seen, error) {
	s := &seen{Train: []string{}, Validation: []string{}}
	e, err := c.make(schedenv.Train)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	on, ok := env.Find[*schedenv.Env](e)
	if !ok {
		return s, nil
	}
	src := on.Config().Source
	if n := src.Windows(schedenv.Train); n > maxWindows {
		return nil, fmt.Errorf("environment %q has %d windows, expected at most %d: each is hashed, to keep them apart from those of evaluation", c.Env, n, maxWindows)
	}
	take := func(p schedenv.Part, n int, to *[]string) error {
		for i := range n {
			w, err := src.Window(p, i)
			if err != nil {
				return err
			}
			*to = append(*to, w.Hash())
		}
		return nil
	}
	if err := take(schedenv.Train, src.Windows(schedenv.Train), &s.Train); err != nil {
		return nil, err
	}
	if err := take(schedenv.Validation, min(src.Windows(schedenv.Validation), c.ValidateEpisodes), &s.Validation); err != nil {
		return nil, err
	}
	if list, ok := src.(schedenv.Listed); ok {
		m := marks{}
		m.add(list.Jobs(schedenv.Train))
		m.add(list.Jobs(schedenv.Validation))
		s.Trace, s.Jobs = on.Config().TraceSHA256, m.text()
	}
	return s, nil
}

func (s *seen) json() ([]byte, error) {
	text, err := json.MarshalIndent(s, "", "  ")
	return append(text, '\n'), err
}

// validationEnv makes the environment whose windows are those of validation. windows is how many
// there are; 0 = the environment has none, and episodes differ by their seeds.
func validationEnv(c *Config) (e env.Env, windows int, err error) {
	if e, err = c.make(schedenv.Train); err != nil {
		return nil, 0, err
	}
	if _, ok := env.Find[*schedenv.Env](e); !ok {
		return e, 0, nil
	}
	if err := e.Close(); err != nil {
		return nil, 0, err
	}
	if e, err = c.make(schedenv.Validation); err != nil {
		return nil, 0, err
	}
	on, _ := env.Find[*schedenv.Env](e)
	windows = on.Config().Source.Windows(schedenv.Validation)
	on.Keep(min(c.ValidateEpisodes, windows, maxKept))
	return e, windows, nil
}
