package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"tarry/internal/config"
	"tarry/internal/results"
)

// configName is the file in the folder of --out that says what its trials share.
const configName = "config.json"

// openOut makes the folder ready: of this configuration, writable, without what killed runs left.
func openOut(c *cli.Context, s *config.Setup) error {
	if s.Config.Out == "" {
		return nil
	}
	return claimOut(c, s.Config.Out, s.BaseJSON()+"\n")
}

// claimOut does so for a configuration in any words.
func claimOut(c *cli.Context, dir, want string) error {
	path := filepath.Join(dir, configName)
	there, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("--out: %w", err)
	case string(there) == want:
		_, err := results.RemoveTemp(dir)
		return err
	case !c.Bool("force"):
		return usageError{fmt.Errorf("--out: %s holds the results of another configuration (see %s); give another folder, or --force to replace them", dir, path)}
	}
	if err == nil {
		if err := removeTables(dir); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	if err := results.WriteFile(path, []byte(want)); err != nil {
		return fmt.Errorf("--out: cannot write to %s: %w", dir, err)
	}
	return nil
}

// removeTables removes what an earlier run of another configuration wrote, and nothing else.
func removeTables(dir string) error {
	errs := []error{os.Remove(filepath.Join(dir, configName))}
	for _, table := range [...]string{"trials", "jobs", "intervals", "cluster", "evals", "timing"} {
		errs = append(errs, os.RemoveAll(filepath.Join(dir, table)))
	}
	if err := os.Remove(filepath.Join(dir, results.ManifestName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
