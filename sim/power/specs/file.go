package specs

import (
	"errors"
	"fmt"
	"strings"

	"tarry/sim/param"
	"tarry/sim/power"
)

// other is the key of a file for GPU types that it does not name.
const other = "default"

// readFile reads a YAML file: a GPU type, or default for all others, with a spec NAME or NAME:options,
// or with a mapping of options over the named spec; and use for all.
func readFile(path string) (*Rule, error) {
	s, err := param.ReadYAML(path)
	if err != nil {
		return nil, err
	}
	return fromSet(path, s)
}

func fromSet(path string, s *param.Set) (*Rule, error) {
	r := &Rule{text: path, ofType: map[string]power.Spec{}, jobs: readUse(s)}
	for _, typ := range s.Keys() {
		if typ == "use" {
			continue
		}
		r.ofType[strings.ToLower(typ)] = readEntry(s, typ)
	}
	if len(r.ofType) == 0 {
		s.Fault("no GPU type is named, expected TYPE: SPEC, or default: SPEC for all")
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	return r, nil
}

// readEntry reads the spec of one GPU type.
func readEntry(s *param.Set, typ string) power.Spec {
	const want = "NAME, NAME:key=value,... or a mapping of spec: NAME and keys"
	if s.IsMapping(typ) {
		in := s.Child(typ)
		name := in.Text("spec", "custom")
		row, names := find(name)
		if names != "" {
			in.FaultAt("spec", "%s.spec is %q, expected one of %s", typ, name, names)
		}
		spec := row.Spec
		readSpec(in, &spec)
		return spec
	}
	if s.IsList(typ) {
		s.Wrong(typ, want)
		return power.Spec{}
	}
	text := s.Text(typ, "")
	if text == Auto || text == None || isFile(text) || strings.HasPrefix(text, Auto+":") {
		s.Wrong(typ, want)
		return power.Spec{}
	}
	one, err := Parse(text)
	switch {
	case err != nil:
		s.FaultAt(typ, "%s: %w", typ, err)
	case one == nil:
		s.Wrong(typ, want)
	case one.jobs:
		s.FaultAt(typ, "%s has use=job, expected use beside the types: it holds for all", typ)
	default:
		return one.only
	}
	return power.Spec{}
}

// of gives the spec of a GPU type.
func (r *Rule) of(typ string) (power.Spec, error) {
	switch {
	case r.ofType != nil:
		if spec, ok := r.ofType[strings.ToLower(typ)]; ok {
			return spec, nil
		}
		if spec, ok := r.ofType[other]; ok {
			return spec, nil
		}
		return power.Spec{}, fmt.Errorf("power %q: the file has no spec of GPU type %q and no default, expected one of "+
			"these", r.text, typ)
	case r.byName:
		row, ok := ofType(typ)
		if !ok {
			return power.Spec{}, fmt.Errorf("power %q: GPU type %q names no spec, expected a type with one of %s among "+
				"its words (--cluster v100:4x4x8), or power as a NAME or FILE.yaml", r.text, typ,
				strings.Join(autos(), ", "))
		}
		s := param.Parse("power "+r.text, r.options)
		readUse(s)
		readSpec(s, &row.Spec)
		return row.Spec, errors.Join(s.Err(), row.Spec.Validate())
	}
	return r.only, nil
}
