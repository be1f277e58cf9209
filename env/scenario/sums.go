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
	"tarry/sim/hosts"
	"tarry/sim/interference"
	"tarry/sim/param"
	"tarry/sim/speed/deepshare"
	"tarry/sim/speed/measured"
	"tarry/sim/speed/muri"
	"tarry/sim/speed/polluxsim"
	"tarry/sim/speed/shockwave"
	"tarry/sim/variability"
	"tarry/traces/elastic"
	"tarry/traces/gpuprofile"
)

// FileSum is the content of a file that a result depends on beside the trace.
type FileSum struct {
	// Path is the file, SHA256 the hash of its content.
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// sumFiles hashes the files behind the speed model.
func (s *Setup) sumFiles() error {
	paths, err := s.Scenario.speedFiles()
	paths = append(paths, s.quotaFiles()...)
	for _, p := range paths {
		if sum, ok := SumFile(p); ok {
			s.Files = append(s.Files, sum)
		}
	}
	return err
}

// speedFiles lists the files behind the speed model: its tables, and profiles.
func (c *Scenario) speedFiles() ([]string, error) {
	var paths []string
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
	if c.Variability != "" {
		paths = append(paths, variability.Files(c.Variability)...)
	}
	paths = append(paths, gpuprofile.Files(c.GPUProfile)...)
	for _, name := range append(interference.Files(c.Interference), hosts.Files(c.Hosts)...) {
		more, _ := regular(name)
		paths = append(paths, more...)
	}
	if c.Elastic != "" {
		paths = append(paths, elastic.Files(c.Elastic)...)
	}
	if c.CostTable != "" {
		paths = append(paths, c.CostTable)
	}
	var errs []error
	for _, p := range c.Profiles {
		more, err := regular(p)
		paths = append(paths, more...)
		errs = append(errs, err)
	}
	return paths, errors.Join(errs...)
}

// regular lists the files in a folder, or the file itself; none where there is nothing, which its reader says.
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

// SumFile hashes a file; false where it cannot be read, which its reader has said.
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

// Sum hashes a scenario's YAML file and the content of all files that it names: another scenario, the cluster, profiles, the table of
// the speed model and the trace. Where these lie does not count. A file that names none has its own hash. False where the file cannot be
// read, which its reader says.
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
	c.Speed, c.Variability, c.Interference, c.Hosts, c.GPUProfile, c.Elastic, c.Profiles, c.Trace = s.Text("speed", ""), s.Text("variability", ""), s.Text("interference", ""), s.Text("hosts", ""), s.Text("gpu_profile", ""), s.Text("elastic", ""), s.Texts("profiles", nil), s.Text("trace", "")
	c.readCosts(s)
	if !s.IsMapping("cluster") {
		c.Cluster = s.Text("cluster", "")
	}
	c.Quotas = s.Text("quotas", "")
	files, _ := c.speedFiles()
	files = append(files, quotaFiles(Catalogues{Traces: from}, &c)...)
	if isClusterFile(c.Cluster) {
		files = append(files, c.Cluster)
	}
	if _, file := TraceFile(from, c.Trace); file != "" {
		more, _ := regular(file)
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
