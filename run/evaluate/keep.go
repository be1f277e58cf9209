package evaluate

import (
	"context"
	"path/filepath"

	"tarry/output/results"
	"tarry/run/outdir"
	"tarry/run/trial"
)

// Keep writes the table evals into the folder of the trials, and the manifest over all tables
// there. version is the program's.
func Keep(ctx context.Context, out, version string, codec results.Codec, s *Setup, rows []Row,
	done []*trial.Result) error {
	meta := results.NewMeta(s.JSON, "", version)
	meta.Codec = codec
	path := filepath.Join("evals", "part-0.parquet")
	if err := results.Write(ctx, results.Target{Path: filepath.Join(out, path), Meta: meta}, Evals(rows)); err != nil {
		return err
	}
	if err := outdir.Label(out, s.Labels); err != nil {
		return err
	}
	return outdir.Manifest(ctx, out, meta, append(trial.Files(out, done), path))
}

// Trials are the rows of the table trials behind the rows, one per policy and window.
func Trials(rows []Row) []results.Trial {
	var out []results.Trial
	for _, r := range rows {
		if r.Seeds > 1 || r.Chosen {
			continue // each of them has a row of its own
		}
		for _, run := range r.Runs {
			out = append(out, run.Row)
		}
	}
	return out
}
