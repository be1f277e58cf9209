package sweep

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/output/results"
	"tarry/sim/param"
)

// Settings name values. In a spec a value is text, a bool, a number, a list ([]string or []any) or
// a mapping (Settings or map[string]any); resolved, it is text, []any or map[string]any.
type Settings = map[string]any

// normal gives a value its resolved form: numbers and bools become text.
func normal(v any) (any, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case int:
		return strconv.Itoa(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case uint64:
		return strconv.FormatUint(v, 10), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%v is not finite", v)
		}
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	case []string:
		out := make([]any, len(v))
		for i := range v {
			out[i] = v[i]
		}
		return out, nil
	case []any:
		out := make([]any, len(v))
		var errs []error
		for i := range v {
			var err error
			out[i], err = normal(v[i])
			errs = append(errs, err)
		}
		return out, errors.Join(errs...)
	case map[string]any:
		out := make(map[string]any, len(v))
		var errs []error
		for _, k := range slices.Sorted(maps.Keys(v)) {
			var err error
			if out[k], err = normal(v[k]); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", k, err))
			}
		}
		return out, errors.Join(errs...)
	}
	return nil, fmt.Errorf("a value of type %T, expected text, a bool, an int, a uint64, a float64, a list or "+
		"a mapping", v)
}

// codecField is the setting of the codec of the tables' files, of cells of every kind.
const codecField = "parquet_codec"

// codecOf is the codec that settings name; the default where they name none, or are wrong, which
// others report.
func codecOf(s Settings) results.Codec {
	text, _ := s[codecField].(string)
	codec, err := results.ParseCodec(text)
	if err != nil {
		return ""
	}
	return codec
}

// set puts a value at a dotted path; the mappings on the way are copied, so that others who hold
// them see no change. A text such as min=0.5,fraction=0.8 stands for a mapping, and stays a text.
func set(s Settings, path string, v any) error {
	key, rest, nested := strings.Cut(path, ".")
	if !nested {
		s[key] = v
		return nil
	}
	inner := map[string]any{}
	if have, ok := s[key]; ok {
		text, isText := have.(string)
		value, plain := v.(string)
		if isText && plain && keyed(text) && !strings.Contains(rest, ".") {
			s[key] = param.Override(text, rest+"="+param.Quote(value))
			return nil
		}
		m, ok := have.(map[string]any)
		if !ok {
			return fmt.Errorf("%s is %v, expected a mapping for %s", key, have, path)
		}
		inner = maps.Clone(m)
	}
	s[key] = inner
	return set(inner, rest, v)
}

// keyed reports whether a text is key=value,... and nothing else, such as the settings of a named
// thing.
func keyed(text string) bool {
	for _, part := range param.Split(text) {
		key, _, ok := strings.Cut(part, "=")
		if key = strings.TrimSpace(key); !ok || key == "" ||
			strings.ContainsFunc(key, func(c rune) bool {
				return c != '_' && (c < 'a' || c > 'z') &&
					(c < '0' || c > '9')
			}) {
			return false
		}
	}
	return true
}

// fill replaces {name} in every text of a value. The errors name braces that stand for nothing.
func fill(v any, vars map[string]string, used map[string]bool) (any, error) {
	switch v := v.(type) {
	case string:
		return fillText(v, vars, used)
	case []any:
		out := make([]any, len(v))
		var errs []error
		for i := range v {
			var err error
			out[i], err = fill(v[i], vars, used)
			errs = append(errs, err)
		}
		return out, errors.Join(errs...)
	case map[string]any:
		out := make(map[string]any, len(v))
		var errs []error
		for _, k := range slices.Sorted(maps.Keys(v)) {
			var err error
			out[k], err = fill(v[k], vars, used)
			errs = append(errs, err)
		}
		return out, errors.Join(errs...)
	}
	return v, nil
}

// fillText does so for one text.
func fillText(text string, vars map[string]string, used map[string]bool) (string, error) {
	if !strings.Contains(text, "{") {
		return text, nil
	}
	var b strings.Builder
	var errs []error
	for rest := text; ; {
		before, after, found := strings.Cut(rest, "{")
		b.WriteString(before)
		if !found {
			return b.String(), errors.Join(errs...)
		}
		name, tail, closed := strings.Cut(after, "}")
		value, known := vars[name]
		switch {
		case !closed:
			return text, errors.Join(append(errs, fmt.Errorf("%q opens a brace and does not close it", text))...)
		case !known:
			names := slices.Sorted(maps.Keys(vars))
			errs = append(errs, fmt.Errorf("{%s} in %q is no axis, expected one of %s%s", name, text,
				strings.Join(names, ", "), param.Hint(name, names)))
		}
		used[name] = true
		b.WriteString(value)
		rest = tail
	}
}

// Override sets settings of the base, each "key=value" ("costs.restore_s=5"), as --set does.
// Several values of a list are written [a, b].
func (s *Spec) Override(given []string) error {
	base, err := normal(map[string]any(s.Base))
	if err != nil {
		return fmt.Errorf("base: %w", err)
	}
	m := base.(map[string]any)
	errs := []error{}
	if s.where == nil {
		s.where = map[string]string{}
	}
	for _, g := range given {
		key, text, ok := strings.Cut(g, "=")
		if key = strings.TrimSpace(key); !ok || key == "" {
			errs = append(errs, fmt.Errorf("--set: %q, expected key=value", g))
			continue
		}
		var v any = text
		if inner, ok := strings.CutPrefix(text, "["); ok && strings.HasSuffix(inner, "]") {
			v = listOf(strings.TrimSuffix(inner, "]"))
		}
		if err := set(m, key, v); err != nil {
			errs = append(errs, fmt.Errorf("--set: %w", err))
		}
		top, _, _ := strings.Cut(key, ".")
		s.where["base."+top] = "--set " + g
	}
	s.Base = m
	return errors.Join(errs...)
}

// listOf splits "a, b"; the settings of a policy stay with it.
func listOf(text string) []any {
	out := []any{}
	for _, part := range param.Rejoin(param.Split(text)) {
		out = append(out, part)
	}
	return out
}
