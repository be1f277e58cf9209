package scenario

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tarry/sim/models"
	"tarry/sim/tabular"
)

// buildModels joins the catalogue with the profiles of the configuration, which go first.
func (s *Setup) buildModels() error {
	all := models.Catalogue()
	var errs []error
	for _, path := range s.Scenario.Profiles {
		more, err := readProfiles(path)
		if err != nil {
			errs = append(errs, wrong("profiles", "profiles: %w", err))
			continue
		}
		for _, p := range more {
			for _, w := range p.Warnings {
				s.Notes = append(s.Notes, fmt.Sprintf("%s: %v", path, w))
			}
		}
		all = append(all, more...)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	s.models = models.NewSet(all...)
	return nil
}

// readProfiles reads a YAML profile, an ASTRA-sim workload (.txt), or the folder of the
// paper's six workloads.
func readProfiles(path string) ([]*models.Profile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return models.LoadPaper(path)
	}
	f, err := tabular.OpenTable(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	read := func(r io.Reader, file string) (*models.Profile, error) { return models.ReadASTRA(r, file, 1) }
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".yaml", ".yml":
		read = models.ReadYAML
	case ".txt", ".csv":
	default:
		return nil, fmt.Errorf("%s: ends in %q, expected .yaml for a profile, .txt or .csv for an ASTRA-sim "+
			"workload, or a folder of them", path, ext)
	}
	p, err := read(f, path)
	if err != nil {
		return nil, err
	}
	return []*models.Profile{p}, nil
}
