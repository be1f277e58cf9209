package scenario

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tarry/sim/models"
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
	f, err := os.Open(path)
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
		return nil, fmt.Errorf("%s: ends in %q, expected .yaml for a profile, .txt or .csv for an ASTRA-sim workload, or a folder of them", path, ext)
	}
	p, err := read(f, path)
	if err != nil {
		return nil, err
	}
	return []*models.Profile{p}, nil
}

// FileSum is the content of a file that a result depends on beside the trace.
type FileSum struct {
	// Path is the file, SHA256 the hash of its content.
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// sumFiles hashes the files behind the speed model.
func (s *Setup) sumFiles() error {
	var paths []string
	if rest, ok := strings.CutPrefix(s.Scenario.Speed, "table:"); ok {
		file, _, _ := strings.Cut(rest, ",")
		paths = append(paths, file)
	}
	var errs []error
	for _, p := range s.Scenario.Profiles {
		info, err := os.Stat(p)
		if err != nil {
			continue // buildModels has said so
		}
		if !info.IsDir() {
			paths = append(paths, p)
			continue
		}
		entries, err := os.ReadDir(p)
		errs = append(errs, err)
		for _, e := range entries {
			if e.Type().IsRegular() {
				paths = append(paths, filepath.Join(p, e.Name()))
			}
		}
	}
	for _, p := range paths {
		if sum, ok := SumFile(p); ok {
			s.Files = append(s.Files, sum)
		}
	}
	return errors.Join(errs...)
}

// SumFile hashes a file; false where it cannot be read, which its reader has said.
func SumFile(path string) (FileSum, bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		return FileSum{}, false
	}
	sum := sha256.Sum256(data)
	return FileSum{path, hex.EncodeToString(sum[:])}, true
}
