package outdir

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"

	"tarry/internal/rundir"
	"tarry/output/results"
)

// Label keeps the labels of policies in a folder of results, beside labels of others that it has.
// Where there is none, or no folder (""), it writes nothing.
func Label(dir string, labels map[string]string) error {
	if dir == "" || len(labels) == 0 {
		return nil
	}
	all, err := rundir.Labels(dir)
	if err != nil {
		return err
	}
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, labels)
	data, err := json.MarshalIndent(all, "", "  ") // by name
	if err != nil {
		return fmt.Errorf("labels: %w", err)
	}
	return results.WriteFile(filepath.Join(dir, rundir.LabelsName), append(data, '\n'))
}
