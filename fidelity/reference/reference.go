// Package reference compares tarry with results that other simulators gave, job by job.
//
// Reading guide: a folder of results is a Folder; a Reader reports whether it recognises the
// folder's form and compares it. Each lives beside the variant of the scheduler that follows that
// simulator (fidelity/gavelsim/gavelref, ...), the comparers of programs without a variant here;
// Readers lists the latter, cmd/reference all. A folder is known by the form of its files, never by
// their names, so that more results of the same form need no new code. Cases makes readers of lists of
// cases, BySets of folders in which several sets of files stand beside one another. Run goes through all
// folders below a root and prints a line for each:
//
//	NAME: K of N agree, worst DIFF UNIT; KIND K of N, ...
//	NAME: not compared: N KIND of FILES: WHY
//	NAME: not compared: no comparer yet (FILES)
//
// What is counted is what tarry computed: see Tally, which also holds that nothing of a folder is
// passed over in silence.
package reference

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tarry/env/scenario"
)

// Setup states with what folders are compared.
type Setup struct {
	// From are the policies, traces, speed models and predictors of the runs.
	From scenario.Catalogues
	// Beside are the folders of the shared data.
	Beside []string
	// Readers are the forms that are compared. A folder has the form of the first that recognises
	// it.
	Readers []Reader
}

// Folder is one folder of results.
type Folder struct {
	// Dir is its path, Name the last part of it.
	Dir, Name string
	// Files are the names of its files, sorted, and the names of folders in it with a / at the end.
	Files []string
	// Beside are folders in which files that the results speak of may stand when they are not in
	// Dir: the shared data, as TARRY_SHARED or the place of Dir states. Parts are joined to each:
	// see Find.
	Beside []string
	// From are the catalogues of the runs.
	From scenario.Catalogues
	// used are its files that Find returned.
	used map[string]bool
}

// Outcome is how a folder compares.
type Outcome struct {
	// Tally counts the things (jobs, rows) that are within the tolerance that the folder's README
	// states.
	Tally
	// Worst is the largest difference, in Unit.
	Worst float64
	Unit  string
	// Short states what falls short of the README, one line each; none = the folder is reproduced
	// as it asks.
	Short []string
	// Beyond states more of what was compared or left out; it does not count.
	Beyond []string
}

// Reader compares folders of one form.
type Reader struct {
	// Name is the name of the form.
	Name string
	// Variants are the policies with that simulator's habits, by which it is compared; none = the
	// published policies are.
	Variants []string
	// Knows reports whether a folder has the form, by its files.
	Knows func(f *Folder) bool
	// Compare runs what the folder's results were made from and compares. An error means that it
	// could not.
	Compare func(ctx context.Context, f *Folder) (Outcome, error)
}

// Run compares every folder below root (and root itself, when it holds results) and prints a line
// for each to out; what falls short is explained on details. It reports whether every folder that
// tarry reproduces is as its README asks; a folder that tarry does not reproduce yet does not
// count. An error means that root cannot be read or that ctx ended.
func (with Setup) Run(ctx context.Context, root string, out, details io.Writer) (bool, error) {
	folders, err := with.open(root)
	if err != nil {
		return false, err
	}
	good := true
	for _, f := range folders {
		i := slices.IndexFunc(with.Readers, func(r Reader) bool { return r.Knows(f) })
		if i < 0 {
			fmt.Fprintf(out, "%s: not compared: no comparer yet (%s)\n", f.Name, names(f.Files))
			continue
		}
		o, err := with.Readers[i].Compare(ctx, f)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if err != nil {
			good = false
			fmt.Fprintf(out, "%s: could not be compared: %v\n", f.Name, err)
			continue
		}
		o.Short = append(o.Short, o.check(f)...)
		o.print(out, f.Name)
		for _, s := range o.Beyond {
			fmt.Fprintf(details, "%s: %s\n", f.Name, s)
		}
		for _, s := range o.Short {
			good = false
			fmt.Fprintf(details, "%s: %s\n", f.Name, s)
		}
	}
	return good, nil
}

// open lists the folders of results below root, and root first when it holds results itself.
func (with Setup) open(root string) ([]*Folder, error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	dirs := []string{}
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(root, e.Name())); err == nil && info.IsDir() {
			dirs = append(dirs, filepath.Join(root, e.Name()))
		}
	}
	var out []*Folder
	for i, d := range append([]string{root}, dirs...) {
		f, err := with.Folder(d)
		if err != nil {
			return nil, err
		}
		if i > 0 || slices.ContainsFunc(with.Readers, func(r Reader) bool { return r.Knows(f) }) {
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s holds no folder, expected one for each simulator compared with", root)
	}
	return out, nil
}

// Folder lists the files of one.
func (with Setup) Folder(dir string) (*Folder, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	f := &Folder{Dir: dir, Name: filepath.Base(abs), Beside: append([]string{filepath.Join(dir, "..", "..")},
		with.Beside...), From: with.From, used: map[string]bool{}}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		f.Files = append(f.Files, name)
	}
	return f, nil
}

// Find gives the path of a file that the results speak of: in the folder, else in a folder (such as
// traces/artist-sim) of the shared data.
func (f *Folder) Find(name string, within ...string) (string, error) {
	places := []string{f.Dir}
	for _, b := range f.Beside {
		for _, w := range within {
			places = append(places, filepath.Join(b, filepath.FromSlash(w)))
		}
	}
	for _, p := range places {
		path := filepath.Join(p, name)
		if _, err := os.Stat(path); err == nil {
			if p == f.Dir {
				f.used[name] = true
			}
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is in none of %q (TARRY_SHARED names the folder of the shared data)", name, places)
}

// Heads gives what stands before name in the names of the files that end in it.
func (f *Folder) Heads(name string) (heads []string) {
	for _, file := range f.Files {
		if head, ok := strings.CutSuffix(file, name); ok {
			heads = append(heads, head)
		}
	}
	return heads
}
