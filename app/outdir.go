package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/internal/run/config"
	"tarry/internal/run/lock"
	"tarry/output/results"
)

// configName is the file in the folder of --out that says what its trials share.
const configName = "config.json"

// tablesKind names the folders of simulate, compare and eval in errors.
const tablesKind = "tarry simulate, compare or eval"

// outTables lists the tables of such a folder.
func outTables() []string {
	return []string{"trials", "jobs", "intervals", "cluster", "predictions", "evals", "timing"}
}

// openOut makes the folder ready: of this configuration, of this process alone, without what killed runs left.
func openOut(c *cli.Context, s *config.Setup) (release func(), err error) {
	if s.Config.Out == "" {
		return func() {}, nil
	}
	return claimOut(c, s.Config.Out, withPolicies(s.BaseJSON(), s.Config.Policies))
}

// withPolicies writes the policies into a configuration, in the order of the command line: the first is the one that
// the others are compared with, and the names of the tables' folders do not tell it.
func withPolicies(base string, policies []string) string {
	list, err := json.Marshal(policies)
	if err != nil {
		panic(fmt.Sprintf("a list of texts cannot be written: %v", err))
	}
	return strings.TrimSuffix(base, "}") + `,"policies":` + string(list) + "}\n"
}

// sameConfig reports whether two files are one configuration: everything but the policies, whose trials share a folder.
func sameConfig(a, b string) bool {
	if a == b {
		return true
	}
	var x, y map[string]json.RawMessage
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	delete(x, "policies")
	delete(y, "policies")
	return maps.EqualFunc(x, y, func(v, w json.RawMessage) bool { return string(v) == string(w) })
}

// claimOut does so for a configuration in any words. Nobody else writes into the folder until release is called.
func claimOut(c *cli.Context, dir, want string) (release func(), err error) {
	if _, err := checkOut(c, dir, want); err != nil { // what is refused is not touched, the lock included
		return nil, err
	}
	release, err = lock.Folder(dir)
	if err != nil {
		return nil, err
	}
	same, err := checkOut(c, dir, want) // somebody else may have begun in between
	if err == nil {
		err = prepareOut(dir, want, same)
	}
	if err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// checkOut refuses a folder that holds something else, or another configuration's results without --force. same says that
// it holds the results of this one, of whatever policies.
func checkOut(c *cli.Context, dir, want string) (same bool, err error) {
	path := filepath.Join(dir, configName)
	there, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, lock.Free(dir, tablesKind, nil)
	case err != nil:
		return false, fmt.Errorf("--out: %w", err)
	case sameConfig(string(there), want):
		return true, nil
	case !isOutConfig(there):
		return false, lock.Foreign(dir, configName, tablesKind)
	case !c.Bool("force"):
		return false, usageError{fmt.Errorf("--out: %s holds the results of another configuration (see %s); give another folder, or --force to replace them", dir, path)}
	}
	return false, nil
}

// isOutConfig reports whether simulate, compare or eval wrote a file of that name, and not another command.
func isOutConfig(text []byte) bool {
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

// prepareOut removes what is of no use in the folder and names its configuration. A kill in between leaves the folder to the
// configuration before.
func prepareOut(dir, want string, same bool) error {
	if _, err := results.RemoveTemp(dir, outTables()...); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if !same {
		if err := removeTables(dir); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	if err := results.WriteFile(filepath.Join(dir, configName), []byte(want)); err != nil {
		return fmt.Errorf("--out: cannot write to %s: %w", dir, err)
	}
	return nil
}

// removeTables removes what an earlier run of another configuration wrote, and nothing else.
func removeTables(dir string) error {
	err := os.Remove(filepath.Join(dir, results.ManifestName))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	errs := []error{err}
	for _, table := range outTables() {
		errs = append(errs, os.RemoveAll(filepath.Join(dir, table)))
	}
	return errors.Join(errs...)
}

// folderKind is what a command writes into a folder of files whose names it chooses.
type folderKind struct {
	flag, name string
	ours       func(fs.DirEntry) bool
}

// pictureFolder is a folder of figures, and of folders of figures.
func pictureFolder(flag string) folderKind {
	return folderKind{flag, "pictures", func(e fs.DirEntry) bool {
		return e.IsDir() || slices.Contains([]string{".png", ".svg", ".pdf", ".csv", ".parquet"}, filepath.Ext(e.Name()))
	}}
}

// boardFolder is a folder of event files, and of folders of event files.
func boardFolder() folderKind {
	return folderKind{"--out", "event files", func(e fs.DirEntry) bool { return e.IsDir() || strings.Contains(e.Name(), "tfevents") }}
}

// partFolder is a folder of the parts of a workload.
func partFolder() folderKind {
	return folderKind{"--out", "tarry trace split", func(e fs.DirEntry) bool {
		stem, _, _ := strings.Cut(e.Name(), ".")
		return !e.IsDir() && slices.Contains([]string{"train", "validation", "test"}, stem)
	}}
}

// free refuses a folder that holds files of others; "" is free. It is asked before long work, and again by fill.
func (k folderKind) free(dir string) error {
	if dir == "" {
		return nil
	}
	return lock.Free(dir, k.name, k.ours)
}

// fill lets write put its files into the folder, which is this process's alone meanwhile.
func (k folderKind) fill(dir string, write func() error) error {
	if err := k.free(dir); err != nil {
		return err
	}
	release, err := lock.Folder(dir)
	if err != nil {
		return err
	}
	defer release()
	if _, err := results.RemoveTemp(dir, "."); err != nil {
		return fmt.Errorf("%s: %w", k.flag, err)
	}
	return write()
}
