package env

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// wire is a space as JSON.
type wire struct {
	Type  string      `json:"type"`
	Low   []bound     `json:"low,omitempty"`
	High  []bound     `json:"high,omitempty"`
	Shape []int       `json:"shape,omitzero"`
	N     int         `json:"n,omitempty"`
	Start int         `json:"start,omitempty"`
	Ns    []int       `json:"nvec,omitempty"`
	Parts []wireField `json:"parts,omitempty"`
}

type wireField struct {
	Name string `json:"name,omitempty"`
	wire
}

// bound is a number that may be infinite, which JSON cannot express.
type bound float64

func (b bound) MarshalJSON() ([]byte, error) {
	switch v := float64(b); {
	case math.IsNaN(v):
		return nil, errors.New("a bound is NaN")
	case math.IsInf(v, 0):
		return fmt.Appendf(nil, `"%v"`, v), nil
	default:
		return json.Marshal(v)
	}
}

func (b *bound) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case `"+Inf"`:
		*b = bound(math.Inf(1))
	case `"-Inf"`:
		*b = bound(math.Inf(-1))
	default:
		return json.Unmarshal(data, (*float64)(b))
	}
	return nil
}

func bounds(v []float64) []bound {
	out := make([]bound, len(v))
	for i := range v {
		out[i] = bound(v[i])
	}
	return out
}

func floats(b []bound) []float64 {
	out := make([]float64, len(b))
	for i := range b {
		out[i] = float64(b[i])
	}
	return out
}

func toWire(s Space) (wire, error) {
	switch s := s.(type) {
	case Box:
		return wire{Type: "Box", Low: bounds(s.Low), High: bounds(s.High), Shape: s.Shape}, nil
	case Discrete:
		return wire{Type: "Discrete", N: s.N, Start: s.Start}, nil
	case MultiDiscrete:
		return wire{Type: "MultiDiscrete", Ns: s.N}, nil
	case MultiBinary:
		return wire{Type: "MultiBinary", N: s.N}, nil
	case Dict:
		w := wire{Type: "Dict"}
		for _, f := range s {
			p, err := toWire(f.Space)
			if err != nil {
				return wire{}, fmt.Errorf("%s: %w", f.Name, err)
			}
			w.Parts = append(w.Parts, wireField{f.Name, p})
		}
		return w, nil
	case Tuple:
		w := wire{Type: "Tuple"}
		for i, sub := range s {
			p, err := toWire(sub)
			if err != nil {
				return wire{}, fmt.Errorf("part %d: %w", i, err)
			}
			w.Parts = append(w.Parts, wireField{"", p})
		}
		return w, nil
	}
	return wire{}, fmt.Errorf("a space is %T, expected one of the six kinds", s)
}

func fromWire(w wire) (Space, error) {
	var s Space
	switch w.Type {
	case "Box":
		s = Box{Low: floats(w.Low), High: floats(w.High), Shape: w.Shape}
	case "Discrete":
		s = Discrete{N: w.N, Start: w.Start}
	case "MultiDiscrete":
		s = MultiDiscrete{N: w.Ns}
	case "MultiBinary":
		s = MultiBinary{N: w.N}
	case "Dict":
		d := Dict{}
		for _, p := range w.Parts {
			sub, err := fromWire(p.wire)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
			d = append(d, Field{p.Name, sub})
		}
		s = d
	case "Tuple":
		t := Tuple{}
		for i, p := range w.Parts {
			sub, err := fromWire(p.wire)
			if err != nil {
				return nil, fmt.Errorf("part %d: %w", i, err)
			}
			t = append(t, sub)
		}
		s = t
	default:
		return nil, fmt.Errorf("type is %q, expected Box, Discrete, MultiDiscrete, MultiBinary, Dict or Tuple", w.Type)
	}
	return s, CheckSpace(s)
}

// CheckSpace reports everything that is wrong with a space: no parts, n <= 0, bounds that are
// NaN, crossed or of different lengths, a shape that does not fit, names missing or twice.
func CheckSpace(s Space) error {
	var errs []error
	fault := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	switch s := s.(type) {
	case Box:
		return checkBox(s)
	case Discrete:
		if s.N <= 0 {
			fault("Discrete: n is %d, expected > 0", s.N)
		}
	case MultiDiscrete:
		if len(s.N) == 0 {
			fault("MultiDiscrete: no components, expected at least one")
		}
		for i, n := range s.N {
			if n <= 0 {
				fault("MultiDiscrete: n[%d] is %d, expected > 0", i, n)
			}
		}
	case MultiBinary:
		if s.N <= 0 {
			fault("MultiBinary: n is %d, expected > 0", s.N)
		}
	case Dict, Tuple:
		var names []string
		for i, p := range parts(s) {
			name := partName(s, i)
			if name == "" || slices.Contains(names, name) {
				fault("%T: a part is named %q, expected a name of its own", s, name)
			}
			names = append(names, name)
			if err := CheckSpace(p); err != nil {
				fault("%s: %w", name, err)
			}
		}
		if len(names) == 0 {
			fault("%T: no parts, expected at least one", s)
		}
	case nil:
		fault("there is no space")
	default:
		fault("a space is %T, expected one of the six kinds", s)
	}
	return errors.Join(errs...)
}

func checkBox(b Box) error {
	var errs []error
	fault := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if len(b.Low) == 0 || len(b.Low) != len(b.High) {
		fault("Box: %d low and %d high bounds, expected as many of each, at least one", len(b.Low), len(b.High))
		return errors.Join(errs...)
	}
	n := 1
	for _, d := range b.dims() {
		n *= max(d, 0)
	}
	if n != len(b.Low) {
		fault("Box: shape %v has %d elements, expected %d", b.Shape, n, len(b.Low))
	}
	for i, lo := range b.Low {
		if hi := b.High[i]; !(lo <= hi) || math.IsInf(lo, 1) || math.IsInf(hi, -1) {
			fault("Box: bounds of element %d are [%v, %v], expected low <= high", i, lo, hi)
		}
	}
	return errors.Join(errs...)
}

// plain is a Spec without its methods.
type plain Spec

// wireSpec is a Spec whose spaces JSON can read back.
type wireSpec struct {
	*plain
	Observation wire `json:"observation"`
	Action      wire `json:"action"`
}

// MarshalJSON writes the spec; spaces state their type.
func (s Spec) MarshalJSON() ([]byte, error) {
	obs, err := toWire(s.Observation)
	if err != nil {
		return nil, fmt.Errorf("%s: observation: %w", s.ID, err)
	}
	act, err := toWire(s.Action)
	if err != nil {
		return nil, fmt.Errorf("%s: action: %w", s.ID, err)
	}
	p := plain(s)
	return json.Marshal(wireSpec{&p, obs, act})
}

// UnmarshalJSON reads what MarshalJSON wrote, strictly: unknown fields, bad ids and impossible
// spaces are errors.
func (s *Spec) UnmarshalJSON(data []byte) error {
	var p plain
	w := wireSpec{plain: &p}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&w); err != nil {
		return fmt.Errorf("env spec: %w", err)
	}
	_, errID := ParseID(p.ID)
	obs, errObs := fromWire(w.Observation)
	act, errAct := fromWire(w.Action)
	if err := errors.Join(errID, wrapf("observation", errObs), wrapf("action", errAct)); err != nil {
		return fmt.Errorf("env spec %q: %w", p.ID, err)
	}
	p.Observation, p.Action = obs, act
	*s = Spec(p)
	return nil
}

func wrapf(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
