package train

import (
	"encoding/json"
	"fmt"
	"strings"

	"tarry/env"
	envc "tarry/env/cluster"
	"tarry/env/envs"
)

// maxWindows bounds the windows of a part: each is made once, to be hashed.
const maxWindows = 10_000

// seen lists the jobs that a run may see, by hash.
type seen struct {
	// Train and Validation have the SHA-256 of each window's jobs, by number; empty where an
	// environment has no windows.
	Train      []string `json:"train"`
	Validation []string `json:"validation"`
}

// windowsOf hashes what training and validation draw from.
func windowsOf(c *Config) (*seen, error) {
	s := &seen{Train: []string{}, Validation: []string{}}
	e, err := envs.Make(c.Env)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	on, ok := env.Find[*envc.Env](e)
	if !ok {
		return s, nil
	}
	src := on.Config().Source
	if n := src.Windows(envc.Train); n > maxWindows {
		return nil, fmt.Errorf("environment %q has %d windows, expected at most %d: each is hashed, to keep them apart from those of evaluation", c.Env, n, maxWindows)
	}
	for i := range src.Windows(envc.Train) {
		w, err := src.Window(envc.Train, i)
		if err != nil {
			return nil, err
		}
		s.Train = append(s.Train, w.Hash())
	}
	for i := range min(src.Windows(envc.Validation), c.ValidateEpisodes) {
		w, err := src.Window(envc.Validation, i)
		if err != nil {
			return nil, err
		}
		s.Validation = append(s.Validation, w.Hash())
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
	if e, err = envs.Make(c.Env); err != nil {
		return nil, 0, err
	}
	if _, ok := env.Find[*envc.Env](e); !ok {
		return e, 0, nil
	}
	if err := e.Close(); err != nil {
		return nil, 0, err
	}
	if e, err = envs.Make(onPart(c.Env, envc.Validation)); err != nil {
		return nil, 0, err
	}
	on, _ := env.Find[*envc.Env](e)
	return e, on.Config().Source.Windows(envc.Validation), nil
}

// onPart is the same environment on another part of its windows.
func onPart(text string, p envc.Part) string {
	id, options, _ := strings.Cut(text, ":")
	kept := []string{"part=" + string(p)}
	for o := range strings.SplitSeq(options, ",") {
		if key, _, _ := strings.Cut(o, "="); strings.TrimSpace(key) != "part" && o != "" {
			kept = append(kept, o)
		}
	}
	return id + ":" + strings.Join(kept, ",")
}
