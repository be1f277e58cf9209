package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"tarry/internal/rundir"
)

// givenConfig lists the policies of a folder as they were given on the command line, the agents of
// an evaluation before its baselines; nil when the folder does not state them. facts is what more
// the folder reports of its jobs: ranges, and a table of costs.
func givenConfig(dir string, runs []*run) (order []string, facts []Entry, err error) {
	var c struct {
		Policies, Baselines []string
		Elastic             string `json:"elastic"`
		CostTable           string `json:"cost_table"`
		Seeds               map[string][]string
	}
	path := filepath.Join(dir, "config.json")
	data, err := rundir.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("report: %s: %w", path, err)
	}
	if c.Elastic != "" {
		facts = append(facts, Entry{"elastic jobs", c.Elastic})
	}
	if c.CostTable != "" {
		facts = append(facts, Entry{"costs of changes", c.CostTable})
	}
	meet(runs, c.Seeds)
	order = c.Policies
	if len(c.Baselines) > 0 {
		for _, r := range runs { // agents come first
			if !slices.Contains(c.Baselines, r.policy) && !slices.Contains(order, r.policy) {
				order = append(order, r.policy)
			}
		}
	}
	return append(order, c.Baselines...), facts, nil
}
