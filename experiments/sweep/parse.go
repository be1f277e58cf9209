package sweep

import (
	"fmt"
	"math"
	"slices"

	"tarry/run/parts"
	"tarry/sim/param"
)

// ReadFile reads a sweep's YAML file, whose settings name entries of from, strictly: the error
// joins every fault with its place.
func ReadFile(from *parts.Catalogues, path string) (Spec, error) {
	s, err := param.ReadYAML(path)
	if err != nil {
		return Spec{}, err
	}
	return Read(from, s)
}

// Read takes a spec from the settings of a file, strictly, as ReadFile does. Keys that the caller
// asked for before are its own.
func Read(from *parts.Catalogues, top *param.Set) (Spec, error) {
	s := Spec{where: map[string]string{}}
	top.Places(func(path string, at param.Place) { s.where[path] = at.String() })
	s.Name = top.Text("name", "")
	s.Question = top.Text("question", "")
	s.Kind = top.Text("kind", "")
	s.Base = mapping(top, "base")
	for _, a := range top.List("axes") {
		s.Axes = append(s.Axes, readAxis(a))
	}
	s.Seeds = readSeeds(top)
	b := top.Child("budget")
	s.Budget = Budget{Cells: b.Int("cells", 0, 1, mostCells), Minutes: b.Float("minutes", 0, 0, math.MaxFloat64),
		Retries: b.Int("retries", 0, 0, 1000)}
	s.Engine = readDefaults(top.Child("engine"))
	required(top, "name", "a name")
	required(top, "kind", "one of simulate, learn, tune")
	required(top, "base", "settings, key: value")
	s.unlabel()
	if err := top.Err(); err != nil {
		return s, s.withSettings(from, err)
	}
	return s, nil
}

// required notes a key that was not given.
func required(s *param.Set, key, want string) {
	if !s.Has(key) {
		s.Missing(key, want)
	}
}

// mapping reads settings that other packages interpret; nil when there are none.
func mapping(s *param.Set, key string) Settings {
	v := s.Tree(key, nil)
	m, ok := v.(map[string]any)
	if !ok && v != nil {
		s.Wrong(key, "settings, key: value")
	}
	return m
}

// readSeeds reads a number of seeds, which are then 1, 2, ..., or a list of them.
func readSeeds(s *param.Set) []uint64 {
	var out []uint64
	if !s.IsList("seeds") {
		for i := range s.Int("seeds", 0, 1, mostCells) {
			out = append(out, uint64(i+1))
		}
		return out
	}
	for _, seed := range s.Ints("seeds", 0, math.MaxInt64) {
		out = append(out, uint64(seed))
	}
	return out
}

// readDefaults reads how a sweep is run.
func readDefaults(s *param.Set) Defaults {
	d := Defaults{Name: s.Text("name", ""), Jobs: s.Int("jobs", 0, 0, 4096), Memory: s.Text("memory", ""),
		Isolate: s.Bool("isolate", false)}
	if o := s.Child("options"); s.Has("options") {
		d.Options, d.Places = map[string]string{}, map[string]param.Place{}
		for _, k := range slices.Sorted(slices.Values(o.Keys())) {
			d.Options[k], d.Places[k] = o.Text(k, ""), o.Place(k)
		}
	}
	return d
}

// describe names a value of settings in an error.
func describe(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return "a mapping"
	case []any:
		if len(v) == 0 {
			return "an empty list"
		}
		return "a list"
	}
	return fmt.Sprintf("%q", v)
}
