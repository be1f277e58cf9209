// Package rundir finds out what wrote a folder, which folders of runs lie in another one, and with
// which settings a run was started. It reads names and config.json and no table.
package rundir

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Kind states what wrote a folder; "" = nothing that we know.
type Kind string

// The kinds of folders.
const (
	Sweep  Kind = "sweep"
	Trials Kind = "trials" // tarry compare, simulate, eval; costs alone outside the simulator
	Train  Kind = "train"
	Tune   Kind = "tune"
)

// Expected is the end of messages about folders that are of no kind.
const Expected = "expected the folder of a sweep, of compare --out, eval --out, train --out or tune --out, or one " +
	"that holds such folders"

// KindOf finds the kind of a folder by the names in it.
func KindOf(dir string) Kind {
	for _, k := range [...]struct {
		name string
		kind Kind
	}{
		{"sweep.json", Sweep}, {"cells.jsonl", Sweep}, {"trials", Trials}, {"curves", Train}, {"checkpoints", Train},
		{"tune", Tune},
	} {
		name := filepath.Join(dir, k.name)
		if _, err := os.Stat(name); err != nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(name, "config.json")); err != nil { // with it, a run of that name
			return k.kind
		}
	}
	if hasCosts(dir) {
		return Trials
	}
	return ""
}

// hasCosts reports whether a folder has the table evals itself, which a folder of that name around
// runs is not: without trials, an evaluation outside the simulator.
func hasCosts(dir string) bool {
	list, err := os.ReadDir(filepath.Join(dir, "evals"))
	return err == nil && slices.ContainsFunc(list, func(d fs.DirEntry) bool {
		return filepath.Ext(d.Name()) == ".parquet" && !strings.HasPrefix(d.Name(), ".")
	})
}

// Member is a folder of results inside another folder.
type Member struct {
	// Name is its path below the other, with slashes; Dir its path.
	Name, Dir string
	// Kind is never "".
	Kind Kind
}

// Bounds on what is looked at for members.
const (
	memberDepth = 3
	maxMembers  = 1000
	maxLooked   = 100_000
)

// Members lists the folders with results below a folder that has none itself, at most three levels
// down and at most a thousand, in the order of their names with numbers as numbers: 2 before 10.
// Names that begin with "." or "_" are passed over. A folder that cannot be read, or with too much
// in it, is an error.
func Members(dir string) ([]Member, error) {
	var out []Member
	looked := 0
	var look func(dir, name string, depth int) error
	look = func(dir, name string, depth int) error {
		list, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		slices.SortStableFunc(list, func(a, b fs.DirEntry) int { return natural(a.Name(), b.Name()) })
		for _, d := range list {
			if !d.IsDir() || strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") {
				continue
			}
			if looked++; looked > maxLooked {
				return fmt.Errorf("%s holds more than %d folders, %s", dir, maxLooked, Expected)
			}
			sub, below := filepath.Join(dir, d.Name()), path.Join(name, d.Name())
			kind := KindOf(sub)
			switch {
			case kind != "":
				if out = append(out, Member{below, sub, kind}); len(out) > maxMembers {
					return fmt.Errorf("%s holds more than %d folders with results, expected fewer", dir, maxMembers)
				}
			case depth < memberDepth:
				if err := look(sub, below, depth+1); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return out, look(dir, "", 1)
}

// natural orders names with numbers in them as numbers.
func natural(a, b string) int {
	digits := func(s string) int {
		return len(s) - len(strings.TrimLeft(s, "0123456789"))
	}
	for a != "" && b != "" {
		if m, n := digits(a), digits(b); m > 0 && n > 0 {
			x, y := strings.TrimLeft(a[:m], "0"), strings.TrimLeft(b[:n], "0")
			if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
				return c
			}
			a, b = a[m:], b[n:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// Settings gives the settings of config.json in a folder as key.key -> JSON value without spaces;
// lists are one value. A folder without the file has none.
func Settings(dir string) (map[string]string, error) {
	file := filepath.Join(dir, "config.json")
	data, err := ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var tree map[string]json.RawMessage
	if err == nil {
		err = json.Unmarshal(data, &tree)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	out := map[string]string{}
	return out, flatten(out, "", tree)
}

func flatten(out map[string]string, before string, tree map[string]json.RawMessage) error {
	for k, v := range tree {
		if v[0] == '{' {
			var below map[string]json.RawMessage
			err := json.Unmarshal(v, &below)
			if err == nil {
				err = flatten(out, before+k+".", below)
			}
			if err != nil {
				return err
			}
			continue
		}
		var text bytes.Buffer
		if err := json.Compact(&text, v); err != nil {
			return err
		}
		out[before+k] = text.String()
	}
	return nil
}
