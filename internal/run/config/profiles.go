package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tarry/sim/models"
	"tarry/sim/param"
	"tarry/traces/history"
)

// buildModels joins the catalogue with the profiles of the configuration, which go first.
func (s *Setup) buildModels() error {
	all := models.Catalogue()
	var errs []error
	for _, path := range s.Config.Profiles {
		more, err := readProfiles(path)
		if err != nil {
			errs = append(errs, fmt.Errorf("%sprofiles: %w", s.Config.at("profiles"), err))
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

// fileSum is the content of a file that a result depends on beside the trace.
type fileSum struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// buildHistory reads the sample of earlier jobs' service.
func (s *Setup) buildHistory() error {
	h := s.Config.History
	if h == "self" || h == "none" {
		return nil
	}
	var err error
	if s.history, err = history.Read(h); errors.Is(err, fs.ErrNotExist) {
		names := []string{"self", "none"}
		err = fmt.Errorf("history is %q, expected self, none or a file%s", h, param.Hint(h, names))
	}
	if err != nil {
		err = fmt.Errorf("%s%w", s.Config.at("history"), err)
	}
	return err
}

// sumFiles hashes the files behind the speed model, and the history.
func (s *Setup) sumFiles() error {
	var paths []string
	if s.history != nil {
		paths = append(paths, s.Config.History)
	}
	if rest, ok := strings.CutPrefix(s.Config.Speed, "table:"); ok {
		file, _, _ := strings.Cut(rest, ",")
		paths = append(paths, file)
	}
	var errs []error
	for _, p := range s.Config.Profiles {
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
		data, err := os.ReadFile(p)
		if err != nil {
			continue // the reader of the file has said so
		}
		sum := sha256.Sum256(data)
		s.sums = append(s.sums, fileSum{p, hex.EncodeToString(sum[:])})
	}
	return errors.Join(errs...)
}
