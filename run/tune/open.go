package tune

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"tarry/env/registry"
	"tarry/env/scenario"
	"tarry/internal/rundir"
	"tarry/output/results"
	"tarry/run/parts"
	"tarry/run/train"
)

// best is the JSON of best.json.
type best struct {
	Candidate
	Metric      string    `json:"metric"`
	Optimiser   string    `json:"optimiser"`
	Reference   Candidate `json:"reference"`
	Simulations int       `json:"simulations"`
	Jobs        int       `json:"jobs_simulated"`
	// Chosen states which predictors were chosen; nil = none.
	Chosen []*scenario.Choice `json:"chosen,omitempty"`
}

// OpenWith reads the scheduler that a run chose. The Maker makes what is looked at in the trace of
// the run, as in train.OpenWith; nil reads it by itself.
func OpenWith(from *parts.Catalogues, m *registry.Maker, dir string) (*train.Chosen, error) {
	c, err := Recorded(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s is not the folder of a run of tarry tune: %w", dir, err)
	}
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, bestName)
	text, err := rundir.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: the run has not ended, tarry tune --out %s --resume continues it: %w", dir, dir,
			err)
	}
	if err != nil {
		return nil, err
	}
	var b best
	if err := json.Unmarshal(text, &b); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if b.Policy == "" {
		return nil, fmt.Errorf("%s: policy is empty, expected NAME or NAME:key=value,...", path)
	}
	if err := unchanged(dir); err != nil {
		return nil, err
	}
	seen, err := train.Fitted(from, m, dir, c.Env)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return &train.Chosen{Env: c.Env, Optimiser: c.Optimiser, Seed: c.Seed, Policy: b.Policy, Base: c.Policy,
		SHA256: sum(text), Seen: seen}, nil
}

// unchanged holds the files of a run to its manifest, which is written last: with a shorter
// windows.json jobs that tuning saw would pass for unseen.
func unchanged(dir string) error {
	m, err := results.ReadManifest(dir)
	if err != nil {
		return fmt.Errorf("%s: what tarry tune wrote cannot be checked: %w", dir, err)
	}
	changed := m.Changed(dir)
	for _, name := range []string{configName, windowsName, bestName} {
		if slices.Contains(changed, name) {
			return fmt.Errorf("%s: %s changed since tarry tune wrote it, expected the content of which %s has the "+
				"checksum", dir, name, results.ManifestName)
		}
		if !slices.ContainsFunc(m.Files, func(f results.FileSum) bool { return f.Path == name }) {
			return fmt.Errorf("%s: %s is not in %s, expected its checksum: was the run of tarry tune changed?", dir,
				name, results.ManifestName)
		}
	}
	return nil
}
