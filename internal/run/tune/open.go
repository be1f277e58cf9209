package tune

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"tarry/catalogue/parts"
	"tarry/env/envs"
	"tarry/internal/run/train"
)

// best is the JSON of best.json.
type best struct {
	Candidate
	Metric      string    `json:"metric"`
	Optimiser   string    `json:"optimiser"`
	Reference   Candidate `json:"reference"`
	Simulations int       `json:"simulations"`
	Jobs        int       `json:"jobs_simulated"`
}

// Tuned is a scheduler that a run chose, with what it was chosen on.
type Tuned struct {
	Config Config
	// Policy is NAME:key=value,... of the scheduler.
	Policy string
	// SHA256 is the hash of best.json.
	SHA256 string
	// Seen is what the run saw of jobs, as training leaves it; it holds no agent.
	Seen *train.Trained
}

// Open reads the scheduler that a run chose.
func Open(from *parts.Catalogues, dir string) (*Tuned, error) { return OpenWith(from, nil, dir) }

// OpenWith is Open with a Maker for what is looked at in the trace of the run, as in train.OpenWith; nil reads it by itself.
func OpenWith(from *parts.Catalogues, m *envs.Maker, dir string) (*Tuned, error) {
	c, err := Recorded(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s is not the folder of a run of tarry tune: %w", dir, err)
	}
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, bestName)
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: the run has not ended, tarry tune --out %s --resume continues it: %w", dir, dir, err)
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
	seen, err := train.Fitted(from, m, dir, c.Env)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return &Tuned{Config: c, Policy: b.Policy, SHA256: sum(text), Seen: seen}, nil
}
