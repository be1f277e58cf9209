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

	"tarry/sim/entry"
	"tarry/sim/param"
	"tarry/sim/setting"
	"tarry/sim/speed/deepshare"
	"tarry/sim/speed/measured"
	"tarry/sim/speed/muri"
	"tarry/sim/speed/polluxsim"
	"tarry/sim/speed/shockwave"
)

// FileSum is the content of a file that a result depends on beside the trace.
type FileSum struct {
	// Path is the file, SHA256 the hash of its content.
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// sumFiles hashes the files behind the settings.
func (s *Setup) sumFiles() error {
	paths, err := s.Scenario.files()
	paths = append(paths, s.quotaFiles()...)
	for _, p := range paths {
		if sum, ok := SumFile(p); ok {
			s.Files = append(s.Files, sum)
		}
	}
	return err
}

// files lists the files behind the settings but for the cluster, the trace and the quotas.
func (c *Scenario) files() ([]string, error) {
	paths := setting.Files(c.Settings())
	var errs []error
	for _, p := range c.Profiles {
		more, err := regular(p)
		paths = append(paths, more...)
		errs = append(errs, err)
	}
	return paths, errors.Join(errs...)
}

// speedFiles lists the files behind the speed model.
func (c *Scenario) speedFiles() (paths []string) {
	if rest, ok := strings.CutPrefix(c.Speed, "table:"); ok {
		file, _, _ := strings.Cut(rest, ",")
		paths = append(paths, file)
	}
	if rest, ok := strings.CutPrefix(c.Speed, "gavel:"); ok {
		dir, _, _ := strings.Cut(rest, ",")
		for _, name := range measured.Files() {
			more, _ := regular(filepath.Join(dir, name))
			paths = append(paths, more...)
		}
	}
	if rest, ok := strings.CutPrefix(c.Speed, "elasticflow:"); ok {
		dir, _, _ := strings.Cut(rest, ",")
		for _, name := range measured.ScalingFiles(dir) {
			paths = append(paths, filepath.Join(dir, name))
		}
	}
	if rest, ok := strings.CutPrefix(c.Speed, "shockwave:"); ok {
		dir, _, _ := strings.Cut(rest, ",")
		for _, name := range shockwave.Files(dir) {
			more, _ := regular(filepath.Join(dir, name))
			paths = append(paths, more...)
		}
	}
	if rest, ok := strings.CutPrefix(c.Speed, "pollux:"); ok {
		dir, _, _ := strings.Cut(rest, ",")
		for _, name := range polluxsim.Files() {
			more, _ := regular(filepath.Join(dir, name))
			paths = append(paths, more...)
		}
	}
	if rest, ok := strings.CutPrefix(c.Speed, "deepshare:"); ok {
		dir, _, _ := strings.Cut(rest, ",")
		for _, name := range deepshare.Files() {
			more, _ := regular(filepath.Join(dir, name))
			paths = append(paths, more...)
		}
	}
	if rest, ok := strings.CutPrefix(c.Speed, "muri:"); ok {
		dir, _, _ := strings.Cut(rest, ",")
		more, _ := regular(filepath.Join(dir, muri.File))
		paths = append(paths, more...)
	}
	return paths
}

// regularAll lists the files in folders, or the files themselves.
func regularAll(paths []string) (out []string) {
	for _, p := range paths {
		more, _ := regular(p)
		out = append(out, more...)
	}
	return out
}

// regular lists the files in a folder, or the file itself; none where there is nothing, which its
// reader reports.
func regular(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	var out []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			out = append(out, filepath.Join(path, e.Name()))
		}
	}
	return out, err
}

// SumFile hashes a file; false where it cannot be read, which its reader has reported.
func SumFile(path string) (FileSum, bool) {
	f, err := os.Open(path)
	if err != nil {
		return FileSum{}, false
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return FileSum{}, false
	}
	return FileSum{path, hex.EncodeToString(sum.Sum(nil))}, true
}

// Sum hashes a scenario's YAML file and the content of all files that it names: another scenario,
// the cluster, profiles, the table of the speed model and the trace. Where these lie does not
// count. A file that names none has its own hash. False where the file cannot be read, which its
// reader reports.
func Sum(from entry.Traces, path string) (FileSum, bool) { return sum(from, path, nil) }

// sum is Sum inside of other files.
func sum(from entry.Traces, path string, outer []string) (FileSum, bool) {
	own, ok := SumFile(path)
	if !ok || len(outer) > maxNested {
		return own, false
	}
	text := "scenario " + own.SHA256 + "\n"
	s, err := param.ReadYAML(path)
	if err != nil {
		return own, true
	}
	if inner := s.Text("scenario", ""); inner != "" {
		one, _ := sum(from, inner, append(outer, path))
		text += "scenario " + one.SHA256 + "\n"
	}
	var c Scenario
	setting.Read(s, c.Settings())
	files, _ := c.files()
	files = append(files, quotaFiles(Catalogues{Traces: from}, &c)...)
	if file := clusterFile(c.Cluster); file != "" {
		files = append(files, file)
	}
	if _, file := TraceFile(from, c.Trace); file != "" {
		more, _ := regular(file)
		if len(more) == 0 { // options stand behind it
			more, _ = regular(bare(file))
		}
		files = append(files, more...)
	}
	for _, f := range files {
		one, _ := SumFile(f)
		text += fmt.Sprintf("file %s\n", one.SHA256)
	}
	if strings.Count(text, "\n") == 1 {
		return own, true
	}
	all := sha256.Sum256([]byte(text))
	return FileSum{path, hex.EncodeToString(all[:])}, true
}

// maxNested bounds how many scenarios may name one another.
const maxNested = 16
