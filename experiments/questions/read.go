package questions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tarry/experiments/sweep"
	"tarry/run/parts"
	"tarry/sim/param"
)

// file is a question's file as a tree, before a scale is chosen.
type file struct {
	name string // of the file, for errors
	from *parts.Catalogues
	tree map[string]any
	at   map[string]string // path -> place
	// vars are the variables as they are written; forms is one of them where it is given.
	vars map[string]any
}

// ReadFile reads the question of a YAML file, strictly: the error joins every fault at every scale,
// with its place. from has what settings name.
func ReadFile(from *parts.Catalogues, path string) (sweep.Question, error) {
	text, err := param.LoadYAML(path)
	if err != nil {
		return sweep.Question{}, err
	}
	f, err := parse(from, path, text)
	if err != nil {
		return sweep.Question{}, err
	}
	q := f.question()
	errs := []error{q.Err}
	for _, scale := range sweep.Scales() {
		_, err := f.specs(scale)
		errs = append(errs, err)
	}
	return q, once(errs)
}

// Sweeps reads the sweeps of a YAML file at a scale: one, or a question's. one is true where
// the file states the same at every scale.
func Sweeps(from *parts.Catalogues, path, scale string) (specs []sweep.Spec, one bool, err error) {
	text, err := param.LoadYAML(path)
	if err != nil {
		return nil, false, err
	}
	set, err := param.ParseYAML(path, text)
	if err != nil {
		return nil, false, err
	}
	if !language(set) { // a plain sweep keeps the places and words of its own reader
		touch(set)
		s, err := sweep.Read(from, set)
		return []sweep.Spec{s}, true, err
	}
	f, err := parse(from, path, text)
	if err != nil {
		return nil, false, err
	}
	specs, err = f.specs(scale)
	return specs, !f.scaled(f.tree), errors.Join(f.question().Err, err)
}

// own lists the keys of a question's file that a sweep's has not.
func own() []string {
	return []string{"title", "predict", "read", "vars", "forms", "sweeps", "validation", "choose", "learner",
		"figures", "tables", "drawn_as", "data", "also", "stored", "pages", "csv", "pictures"}
}

// language reports whether a file needs more than the reader of a single sweep.
func language(set *param.Set) bool {
	f := file{}
	tree := map[string]any{}
	for _, k := range set.Keys() {
		if slices.Contains(own(), k) {
			return true
		}
		tree[k] = set.Tree(k, nil)
	}
	return f.scaled(tree) || hasSets(tree)
}

// hasSets reports whether an axis has the short form of cases.
func hasSets(tree map[string]any) bool {
	axes, _ := tree["axes"].([]any)
	return slices.ContainsFunc(axes, func(a any) bool {
		m, _ := a.(map[string]any)
		_, ok := m["sets"]
		return ok
	})
}

// touch asks for the keys of questions, so that errors of a sweep's file name them as well.
func touch(set *param.Set) {
	for _, k := range own() {
		set.Text(k, "")
	}
}

// scaled reports whether something in a tree differs by scale.
func (f *file) scaled(v any) bool {
	if _, ok := scaled(v); ok {
		return true
	}
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, f.scaled)
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), f.scaled)
	}
	return false
}

// parse reads a text into a tree with places.
func parse(from *parts.Catalogues, name string, text []byte) (*file, error) {
	set, err := param.ParseYAML(name, text)
	if err != nil {
		return nil, err
	}
	f := &file{name: name, from: from, tree: map[string]any{}, at: map[string]string{}, vars: map[string]any{}}
	for _, k := range set.Keys() {
		f.tree[k] = set.Tree(k, func(path string, at param.Place) { f.at[path] = at.String() })
	}
	if err := set.Err(); err != nil {
		return nil, err
	}
	if v, ok := f.tree["vars"]; ok {
		vars, ok := v.(map[string]any)
		if !ok {
			return nil, fault{f.at["vars"], fmt.Sprintf("vars is %v, expected name: value", v)}
		}
		maps.Copy(f.vars, vars)
	}
	if forms, ok := f.tree["forms"]; ok {
		f.vars["forms"] = forms
		for path, at := range maps.Clone(f.at) {
			if rest, ok := strings.CutPrefix(path, "forms"); ok && (rest == "" || rest[0] == '[') {
				f.at["vars.forms"+rest] = at
			}
		}
	}
	return f, nil
}

// expanded gives some keys of the file at a scale, and where what is in them was written.
func (f *file) expanded(scale string, keys []string) (map[string]any, func(path string) string, error) {
	e := &expander{scale: scale, vars: f.vars, at: f.at, to: map[string]string{}}
	tree := map[string]any{}
	for _, k := range keys {
		if v, ok := f.tree[k]; ok {
			tree[k] = e.value(v, k, k)
		}
	}
	where := func(path string) string { return e.to[path] }
	var errs []error
	for _, one := range e.errs {
		errs = append(errs, one)
	}
	return tree, where, errors.Join(errs...)
}

// question makes a question of the file: what does not depend on the scale is read at small.
func (f *file) question() sweep.Question {
	cells := append(sweepKeys(), "sweeps", "vars")
	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(f.tree)),
		func(k string) bool { return slices.Contains(cells[2:], k) })
	tree, where, err := f.expanded(sweep.Small, keys)
	set := param.FromTree(f.name, tree, where)
	for _, k := range cells[2:] { // specs reads them
		set.Text(k, "")
	}
	q := sweep.Question{Name: set.Text("name", ""), Title: set.Text("title", ""), Ask: set.Text("question", ""),
		Read: set.Text("read", ""), DrawnAs: set.Text("drawn_as", "")}
	var unread error
	q.Predict, unread = f.predict(set)
	if q.Title == "" {
		q.Title = q.Ask
	}
	q.Kept = readKept(set)
	d := readDrawing(set, f.tree)
	q.Forms = d.forms
	q.Specs = func(scale string) []sweep.Spec {
		specs, _ := f.specs(scale) // faults are in Err, or of the test that reads all that ship
		return specs
	}
	if len(d.figures) > 0 {
		q.Figures = d.draw
	}
	if len(d.tables) > 0 {
		q.Tables = d.fill
	}
	if q.Err = errors.Join(err, unread, set.Err()); q.Err != nil {
		q.Figures = func(context.Context, *sweep.Data) ([]sweep.Figure, error) { return nil, q.Err }
	}
	return q
}

// once joins errors, each text once.
func once(errs []error) error {
	var out []error
	seen := map[string]bool{}
	for _, err := range errs {
		if err != nil && !seen[err.Error()] {
			seen[err.Error()] = true
			out = append(out, err)
		}
	}
	return errors.Join(out...)
}
