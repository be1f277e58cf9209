package questions

import (
	"maps"
	"math"
	"slices"

	"tarry/experiments/sweep"
	"tarry/sim/param"
)

// readKept reads where the answer of a question is kept, and what it needs.
func readKept(set *param.Set) sweep.Kept {
	var k sweep.Kept
	if set.Has("data") {
		for _, d := range set.List("data") {
			k.Data = append(k.Data, sweep.Made{Out: d.Text("out", ""), Trace: d.Text("trace", ""),
				Models: d.Text("models", ""), VC: d.Text("vc", ""), Seed: uint64(d.Int64("seed", 1, 0, math.MaxInt64))})
			required(d, "out", "the file that is written")
			required(d, "trace", "FORMAT:FILE, which is converted")
		}
	}
	if set.Has("stored") {
		s := set.Child("stored")
		k.Folder, k.Sweeps, k.Tables = s.Text("folder", ""), s.Texts("sweeps", nil), s.Texts("tables", nil)
		required(s, "folder", "the folder that has a folder for each sweep")
		required(s, "tables", "a list of tables")
		if s.Has("more") {
			k.More = map[string][]string{}
			m := s.Child("more")
			for _, name := range m.Keys() {
				k.More[name] = m.Texts(name, nil)
			}
		}
		k.Numbers, k.Weights = pairs(s, "numbers"), pairs(s, "weights")
	}
	k.Also = set.Texts("also", nil)
	k.Pages, k.CSV, k.Pictures = set.Texts("pages", nil), set.Text("csv", ""), pairs(set, "pictures")
	return k
}

// pairs reads a mapping of texts, in the order of its keys; nil = there is none.
func pairs(set *param.Set, key string) map[string]string {
	if !set.Has(key) {
		return nil
	}
	out := map[string]string{}
	m := set.Child(key)
	for _, name := range m.Keys() {
		out[name] = m.Text(name, "")
	}
	return out
}

// required notes a key that was not given.
func required(s *param.Set, key, want string) {
	if !s.Has(key) {
		s.Missing(key, want)
	}
}

// sortedKeys gives the keys of a mapping in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
