package questions

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"tarry/experiments/forms"
	"tarry/experiments/sweep"
	"tarry/sim/param"
)

// sweepKeys lists the keys that a sweep has of its own where a question has several.
func sweepKeys() []string {
	return []string{"name", "question", "kind", "base", "axes", "seeds", "validation", "budget", "engine"}
}

// specs gives the sweeps at a scale.
func (f *file) specs(scale string) ([]sweep.Spec, error) {
	tree, where, err := f.expanded(scale, append(sweepKeys(), "sweeps"))
	if err != nil {
		return nil, err
	}
	top := map[string]any{}
	for _, k := range sweepKeys() {
		if v, ok := tree[k]; ok {
			top[k] = v
		}
	}
	given, several := tree["sweeps"]
	if !several {
		s, err := f.spec(top, where)
		return []sweep.Spec{s}, err
	}
	list, ok := given.([]any)
	if !ok || len(list) == 0 {
		return nil, fault{where("sweeps"), "sweeps is not a list with at least one entry"}
	}
	var out []sweep.Spec
	var errs []error
	for i, one := range list {
		path := fmt.Sprintf("sweeps[%d]", i)
		own, ok := one.(map[string]any)
		if !ok {
			errs = append(errs, fault{where(path), path + " is a text, expected key: value"})
			continue
		}
		all := merged(top, own)
		delete(all, "predict") // of the question
		s, err := f.spec(all, func(p string) string {
			if at := where(path + "." + p); at != "" {
				return at
			}
			return where(p)
		})
		out, errs = append(out, s), append(errs, err)
	}
	return out, errors.Join(errs...)
}

// merged puts the keys of one sweep over the keys of all; base setting by setting.
func merged(top, own map[string]any) map[string]any {
	all := maps.Clone(top)
	maps.Copy(all, own)
	shared, is := top["base"].(map[string]any)
	more, too := own["base"].(map[string]any)
	if is && too {
		base := maps.Clone(shared)
		maps.Copy(base, more)
		all["base"] = base
	}
	return all
}

// spec reads one sweep.
func (f *file) spec(tree map[string]any, where func(path string) string) (sweep.Spec, error) {
	places := map[string]string{}
	if axes, ok := tree["axes"].([]any); ok {
		list := slices.Clone(axes)
		for i, a := range list {
			if m, ok := a.(map[string]any); ok {
				list[i] = spelled(m, fmt.Sprintf("axes[%d]", i), where, places)
			}
		}
		tree = maps.Clone(tree)
		tree["axes"] = list
	}
	set := param.FromTree(f.name, tree, func(path string) string {
		if at := places[path]; at != "" {
			return at
		}
		return where(path)
	})
	validation := set.Int("validation", 0, 0, math.MaxInt32)
	s, err := sweep.Read(f.from, set)
	for _, a := range s.Axes { // {NAME} would be the variable in every cell
		if v, there := f.vars[a.Name]; there && !plural(v) {
			err = errors.Join(err, fault{f.at["vars."+a.Name], fmt.Sprintf("vars.%s has the name of an axis, expected "+
				"another: {%s} stands for the axis's value", a.Name, a.Name)})
		}
	}
	if validation > 0 {
		s.Seeds = append(s.Seeds, forms.Validation(validation)...)
	}
	return s, err
}

// plural reports whether a variable is a list or a mapping at some scale, which stands for the values
// of an axis and not for one value in a text.
func plural(v any) bool {
	if of, ok := scaled(v); ok {
		v = of[sweep.Scales()[0]]
	}
	switch v.(type) {
	case []any, map[string]any:
		return true
	}
	return false
}

// spelled gives an axis in the words of a sweep: values without lists in the list, and cases with
// sets: KEY as name and set. places takes where they were written.
func spelled(axis map[string]any, path string, where func(path string) string,
	places map[string]string) map[string]any {
	out := maps.Clone(axis)
	if values, ok := axis["values"].([]any); ok {
		out["values"], _ = flat(values, path+".values", where)
	}
	key, short := axis["sets"].(string)
	cases, ok := axis["cases"].([]any)
	if !short || !ok {
		return out
	}
	delete(out, "sets")
	list, at := flat(cases, path+".cases", where)
	for i, c := range list {
		to := fmt.Sprintf("%s.cases[%d]", path, i)
		for _, part := range []string{"", ".name", ".set", ".set." + key} {
			places[to+part] = at[i]
		}
		switch c := c.(type) {
		case string:
			list[i] = map[string]any{"name": c, "set": map[string]any{key: c}}
		case map[string]any:
			if len(c) != 1 {
				continue // the reader of cases states what it expects
			}
			for name, v := range c {
				list[i] = map[string]any{"name": name, "set": map[string]any{key: v}}
			}
		}
	}
	out["cases"] = list
	return out
}

// flat gives the entries of a list and of the lists in it, with their places.
func flat(list []any, path string, where func(path string) string) (out []any, at []string) {
	for i, v := range list {
		p := fmt.Sprintf("%s[%d]", path, i)
		if inner, ok := v.([]any); ok {
			more, places := flat(inner, p, where)
			out, at = append(out, more...), append(at, places...)
			continue
		}
		out, at = append(out, v), append(at, where(p))
	}
	return out, at
}
