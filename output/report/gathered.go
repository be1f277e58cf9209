package report

import (
	"context"
	"path"
	"path/filepath"

	"tarry/output/results"
)

// gathered are the trials of a sweep that was gathered, by cell, which are in one file.
type gathered struct {
	manifests map[string]string // of cells, by their path below the sweep -> hash
	evals     map[string][]results.Eval
	trials    map[string][]results.Trial
	jobs      bool // some cell has a table of its jobs
}

// readGathered reads what was gathered of a sweep; nil when nothing was, or when its tables differ
// from its manifest or have more rows than are taken: then each cell's own are read.
func readGathered(ctx context.Context, dir string, most int64) *gathered {
	m, err := results.ReadManifest(dir)
	if err != nil {
		return nil
	}
	g := &gathered{manifests: map[string]string{}, evals: map[string][]results.Eval{},
		trials: map[string][]results.Trial{}}
	tables := results.Manifest{}
	for _, f := range m.Files {
		switch path.Base(f.Path) {
		case results.ManifestName:
			g.manifests[f.Path] = f.SHA256
		default:
			if table := path.Dir(f.Path); table == (results.Trial{}).Table() || table == (results.Eval{}).Table() {
				tables.Files = append(tables.Files, f)
			} else if table == (results.Job{}).Table() {
				g.jobs = true
			}
		}
	}
	if tables.Verify(dir) != nil {
		return nil
	}
	left := most
	if scan(ctx, dir, &left, func(rows []results.Eval) error {
		for _, r := range rows {
			g.evals[r.Cell] = append(g.evals[r.Cell], r)
		}
		return nil
	}) != nil {
		return nil
	}
	left = most
	if scan(ctx, dir, &left, func(rows []results.Trial) error {
		for _, r := range rows {
			g.trials[r.Cell] = append(g.trials[r.Cell], r)
		}
		return nil
	}) != nil {
		return nil
	}
	return g
}

// of gives the runs of a cell that is done; false when the cell was not gathered, or ran again
// since.
func (g *gathered) of(dir string, c *sweepCell, s *status) ([]*run, bool) {
	if g == nil || s.ManifestSHA256 == "" || g.manifests[path.Join("cells", c.ID,
		results.ManifestName)] != s.ManifestSHA256 {
		return nil, false
	}
	return runsOf(filepath.Clean(dir), g.evals[c.ID], g.trials[c.ID], true), true
}
