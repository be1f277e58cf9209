// Package outdir keeps the folder of --out of simulate, compare and eval: the results of one
// configuration, of any policies.
package outdir

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tarry/internal/rundir"
	"tarry/output/results"
	"tarry/run/lock"
)

// ErrOther states that a folder holds the results of another configuration.
var ErrOther = errors.New("the folder holds the results of another configuration")

// other is ErrOther with the folder and the file that notes it.
type other struct{ dir, path string }

func (e *other) Error() string {
	return fmt.Sprintf("--out: %s holds the results of another configuration (see %s); give another folder, or "+
		"--force to replace them", e.dir, e.path)
}

func (e *other) Is(target error) bool { return target == ErrOther }

// configName is the file in the folder of --out that states what its trials share.
const configName = "config.json"

// tablesKind names the folders of simulate, compare and eval in errors.
const tablesKind = "tarry simulate, compare or eval"

// tables lists the tables of such a folder.
func tables() []string {
	return []string{"trials", "jobs", "intervals", "cluster", "power", "services", "predictions", "measures", "evals",
		"timing"}
}

// WithPolicies writes the policies into a configuration, in the order of the command line: the
// others are compared with the first, and the names of the tables' folders do not show it.
func WithPolicies(base string, policies []string) string {
	list, err := json.Marshal(policies)
	if err != nil {
		panic(fmt.Sprintf("a list of texts cannot be written: %v", err))
	}
	return strings.TrimSuffix(base, "}") + `,"policies":` + string(list) + "}\n"
}

// sameConfig reports whether two files are one configuration: everything but the policies, whose
// trials share a folder.
func sameConfig(a, b string) bool {
	if a == b {
		return true
	}
	var x, y map[string]json.RawMessage
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	for _, of := range []string{"policies", "chosen"} { // what is chosen is by policy
		delete(x, of)
		delete(y, of)
	}
	return maps.EqualFunc(x, y, func(v, w json.RawMessage) bool { return string(v) == string(w) })
}

// Claim makes a folder ready for the results of a configuration: of this process alone, without
// what killed runs left. No other process writes into it until release is called. A folder with the
// results of another configuration is refused (ErrOther), or emptied with force; one with anything
// else is refused. "" is no folder.
func Claim(dir, want string, force bool) (release func(), err error) {
	if dir == "" {
		return func() {}, nil
	}
	if _, err := check(dir, want, force); err != nil { // what is refused is not touched, the lock included
		return nil, err
	}
	release, err = lock.Folder(dir)
	if err != nil {
		return nil, err
	}
	same, err := check(dir, want, force) // another process may have begun in between
	if err == nil {
		err = prepare(dir, want, same)
	}
	if err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// check refuses a folder that holds something else, or another configuration's results without
// force. same states that it holds the results of this one, of whatever policies.
func check(dir, want string, force bool) (same bool, err error) {
	path := filepath.Join(dir, configName)
	there, err := rundir.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, lock.Free(dir, tablesKind, nil)
	case err != nil:
		return false, fmt.Errorf("--out: %w", err)
	case sameConfig(string(there), want):
		return true, nil
	case !isConfig(there):
		return false, lock.Foreign(dir, configName, tablesKind)
	case !force && hasTables(dir):
		return false, &other{dir, path}
	}
	return false, nil
}

// hasTables reports whether a folder has a table: a run that was stopped before its first result
// leaves its configuration alone.
func hasTables(dir string) bool {
	return slices.ContainsFunc(tables(), func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return !errors.Is(err, fs.ErrNotExist)
	})
}

// isConfig reports whether simulate, compare or eval wrote a file of that name, and not another
// command.
func isConfig(text []byte) bool {
	var has map[string]json.RawMessage
	if json.Unmarshal(text, &has) != nil {
		return false
	}
	for _, keys := range [][]string{{"trace", "placement", "replicates"}, {"environment", "part", "windows"}} {
		if !slices.ContainsFunc(keys, func(k string) bool { return has[k] == nil }) {
			return true
		}
	}
	return false
}

// prepare removes what is of no use in the folder and names its configuration. A kill in between
// leaves the folder to the configuration before.
func prepare(dir, want string, same bool) error {
	if _, err := results.RemoveTemp(dir, tables()...); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if !same {
		if err := removeTables(dir); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	path := filepath.Join(dir, configName)
	if there, err := rundir.ReadFile(path); same && err == nil {
		want = withThose(want, policiesOf(string(there)))
	}
	if err := results.WriteFile(path, []byte(want)); err != nil {
		return fmt.Errorf("--out: cannot write to %s: %w", dir, err)
	}
	return nil
}

func policiesOf(config string) []string {
	var c struct{ Policies []string }
	if json.Unmarshal([]byte(config), &c) != nil {
		return nil
	}
	return c.Policies
}

// withThose adds the policies whose trials the folder has to a configuration: behind the policies
// that it names, or in their own order when it names one of them, as simulate does.
func withThose(config string, have []string) string {
	named := policiesOf(config)
	if len(have) == 0 || len(named) == 0 {
		return config
	}
	all := slices.Clone(named)
	for _, p := range have {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	if len(named) == 1 && len(all) == len(have) {
		all = have
	}
	_, added, _ := strings.Cut(WithPolicies("}", all), ",")
	base, _, _ := strings.Cut(config, `,"policies":`)
	return base + "," + added
}

// Manifest writes the manifest of a folder over files (paths relative to it), and over the files of
// the former manifest that are still as it states: trials of other policies stay results of the
// folder.
func Manifest(ctx context.Context, dir string, meta results.Meta, files []string) error {
	if before, err := results.ReadManifest(dir); err == nil {
		changed := before.Changed(dir)
		for _, f := range before.Files {
			if filepath.IsLocal(filepath.FromSlash(f.Path)) && !slices.Contains(changed, f.Path) &&
				!slices.Contains(files, filepath.FromSlash(f.Path)) {
				files = append(files, filepath.FromSlash(f.Path))
			}
		}
	}
	return results.WriteManifest(ctx, dir, meta, files)
}

// removeTables removes what an earlier run of another configuration wrote, and nothing else.
func removeTables(dir string) error {
	err := os.Remove(filepath.Join(dir, results.ManifestName))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	errs := []error{err}
	for _, table := range tables() {
		errs = append(errs, os.RemoveAll(filepath.Join(dir, table)))
	}
	return errors.Join(errs...)
}
