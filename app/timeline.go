package app

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"tarry/output/figure"
	"tarry/output/knows"
	"tarry/output/results"
	"tarry/run/config"
	"tarry/run/trial"
)

// writeTimeline writes the first replicate of every policy: to path, or with several policies to
// one file each, the policy in its name. It gives the names of the files, with several policies the
// name of the policy behind each, marked if it is clairvoyant.
func writeTimeline(path string, s *config.Setup, done []*trial.Result) ([]string, error) {
	labels := map[string]figure.JobLabel{}
	for i := range s.Runs[0].Workload.Jobs {
		j := &s.Runs[0].Workload.Jobs[i]
		labels[j.ID] = figure.JobLabel{Model: j.Model, User: j.User}
	}
	var files []string
	for _, r := range done {
		if r.Row.Replicate != 0 {
			continue
		}
		name := path
		if len(s.Config.Policies) > 1 {
			ext := filepath.Ext(path)
			name = strings.TrimSuffix(path, ext) + "-" + fileName(r.Row.Policy) + ext
		}
		rows := slices.Clone(r.Intervals)
		slices.SortStableFunc(rows, func(a, b results.Interval) int { return cmp.Compare(a.Start, b.Start) })
		var out bytes.Buffer
		err := figure.Timeline(&out, s.Topology, labels, func(yield func(results.Interval, error) bool) {
			for _, row := range rows {
				if !yield(row, nil) {
					return
				}
			}
		})
		if err != nil {
			return nil, err
		}
		if err := results.WriteFile(name, out.Bytes()); err != nil {
			return nil, err
		}
		if len(s.Config.Policies) > 1 {
			name += " (" + knows.Marked(r.Row.Policy, r.Row.Knows) + ")"
		}
		files = append(files, name)
	}
	return files, nil
}

// fileName keeps of a policy what every file system takes in a name.
func fileName(policy string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("/\\:*?\"<>| ", r) {
			return '_'
		}
		return r
	}, policy)
}
