package search

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tarry/internal/fixmath"
	"tarry/sim/param"
)

// Kind states what values a parameter has.
type Kind int

// The kinds. Log and LogInteger divide the interval evenly by ratio.
const (
	Real Kind = iota
	Log
	Integer
	LogInteger
	Choice
)

// Param is one bounded parameter.
type Param struct {
	Name string
	Kind Kind
	// Lo and Hi bound numbers, both included; Lo > 0 for the kinds by ratio. A Choice has Choices
	// instead, in no order.
	Lo, Hi  float64
	Choices []string
}

// Space is the parameters of a search. A point is one coordinate in [0, 1] for each.
type Space []Param

// ParseParam reads NAME=LO:HI, NAME=LO:HI:KIND (log, int, logint) or NAME=A|B|C.
func ParseParam(text string) (Param, error) {
	name, value, ok := strings.Cut(text, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || name == "" {
		return Param{}, fmt.Errorf("parameter %q: expected NAME=LO:HI, NAME=LO:HI:log|int|logint or NAME=A|B|C", text)
	}
	p := Param{Name: name}
	if strings.Contains(value, "|") {
		p.Kind, p.Choices = Choice, strings.Split(value, "|")
		return p, p.validate()
	}
	parts := strings.Split(value, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return p, fmt.Errorf("parameter %s is %q, expected LO:HI, LO:HI:log|int|logint or A|B|C", name, value)
	}
	var errs []error
	for i, to := range []*float64{&p.Lo, &p.Hi} {
		v, err := param.ParseFloat(strings.TrimSpace(parts[i]))
		if err != nil {
			errs = append(errs, fmt.Errorf("parameter %s: bound %q, expected a number", name, parts[i]))
		}
		*to = v
	}
	if len(parts) == 3 {
		kinds := map[string]Kind{"log": Log, "int": Integer, "logint": LogInteger}
		if p.Kind, ok = kinds[strings.TrimSpace(parts[2])]; !ok {
			errs = append(errs, fmt.Errorf("parameter %s: kind %q, expected log, int or logint", name, parts[2]))
		}
	}
	if len(errs) > 0 {
		return p, errors.Join(errs...)
	}
	return p, p.validate()
}

// String writes the parameter as ParseParam reads it.
func (p Param) String() string {
	if p.Kind == Choice {
		return p.Name + "=" + strings.Join(p.Choices, "|")
	}
	return fmt.Sprintf("%s=%v:%v%s", p.Name, p.Lo, p.Hi, [...]string{"", ":log", ":int", ":logint"}[p.Kind])
}

func (p Param) validate() error {
	var errs []error
	fault := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("parameter "+p.Name+": "+format, args...))
	}
	switch {
	case p.Kind < Real || p.Kind > Choice:
		fault("kind %d, expected a known kind", p.Kind)
	case p.Kind == Choice:
		seen := map[string]bool{}
		for _, c := range p.Choices {
			if c == "" || seen[c] {
				fault("choice %q is empty or appears twice", c)
			}
			seen[c] = true
		}
		if len(p.Choices) < 2 {
			fault("%d choices, expected at least two", len(p.Choices))
		}
	case math.IsNaN(p.Lo) || math.IsNaN(p.Hi) || math.IsInf(p.Lo, 0) || math.IsInf(p.Hi, 0) || p.Lo >= p.Hi:
		fault("bounds %v:%v, expected two finite numbers, the smaller one first", p.Lo, p.Hi)
	case p.log() && p.Lo <= 0:
		fault("lower bound %v, expected one above 0 for a logarithmic scale", p.Lo)
	case p.Count() > 0 && (p.Lo != math.Floor(p.Lo) || p.Hi != math.Floor(p.Hi) || math.Abs(p.Lo) > 1e15 ||
		math.Abs(p.Hi) > 1e15):
		fault("bounds %v:%v, expected whole numbers", p.Lo, p.Hi)
	}
	return errors.Join(errs...)
}

func (p Param) log() bool { return p.Kind == Log || p.Kind == LogInteger }

// Count is how many values the parameter has; 0 = it is continuous.
func (p Param) Count() int {
	switch p.Kind {
	case Integer, LogInteger:
		return int(p.Hi-p.Lo) + 1
	case Choice:
		return len(p.Choices)
	}
	return 0
}

// ends are the bounds that 0 and 1 stand for: whole numbers own half a unit on either side.
func (p Param) ends() (lo, hi float64) {
	switch p.Kind {
	case Choice:
		return -0.5, float64(len(p.Choices)) - 0.5
	case Integer, LogInteger:
		return p.Lo - 0.5, p.Hi + 0.5
	}
	return p.Lo, p.Hi
}

// Value is the number that a coordinate stands for; of a Choice its index.
func (p Param) Value(u float64) float64 {
	lo, hi := p.ends()
	u = clip(u)
	var v float64
	if p.log() {
		v = fixmath.Exp(math.Log(lo) + float64(u*(math.Log(hi)-math.Log(lo))))
	} else {
		v = lo + float64(u*(hi-lo))
	}
	switch p.Kind {
	case Choice:
		return min(max(math.Round(v), 0), float64(len(p.Choices)-1))
	case Integer, LogInteger:
		return min(max(math.Round(v), p.Lo), p.Hi)
	}
	return min(max(v, p.Lo), p.Hi)
}

// Coordinate is where a number lies; the coordinate of the nearer bound when it is outside.
func (p Param) Coordinate(v float64) float64 {
	lo, hi := p.ends()
	if p.log() {
		return clip((math.Log(max(v, lo)) - math.Log(lo)) / (math.Log(hi) - math.Log(lo)))
	}
	return clip((v - lo) / (hi - lo))
}

// Snap moves a coordinate to the middle of its value, where values are not continuous.
func (p Param) Snap(u float64) float64 {
	if p.Count() == 0 {
		return clip(u)
	}
	return p.Coordinate(p.Value(u))
}

// Text writes the value of a coordinate, numbers with six digits.
func (p Param) Text(u float64) string {
	v := p.Value(u)
	switch p.Kind {
	case Choice:
		return p.Choices[int(v)]
	case Integer, LogInteger:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// clip cuts a coordinate to [0, 1]; what is no number lies in the middle.
func clip(u float64) float64 {
	if math.IsNaN(u) {
		return 0.5
	}
	return min(max(u, 0), 1)
}

// Validate reports every fault; a space has at least one parameter and no name twice.
func (s Space) Validate() error {
	var errs []error
	seen := map[string]bool{}
	for _, p := range s {
		errs = append(errs, p.validate())
		if seen[p.Name] {
			errs = append(errs, fmt.Errorf("parameter %s appears twice", p.Name))
		}
		seen[p.Name] = true
	}
	if len(s) == 0 {
		errs = append(errs, errors.New("no parameter, expected at least one"))
	}
	return errors.Join(errs...)
}

// Snap cuts a point to the cube and moves each coordinate to the middle of its value.
func (s Space) Snap(x []float64) []float64 {
	out := make([]float64, len(s))
	for i, p := range s {
		out[i] = p.Snap(x[i])
	}
	return out
}

// Texts writes the values of a point.
func (s Space) Texts(x []float64) []string {
	out := make([]string, len(s))
	for i, p := range s {
		out[i] = p.Text(x[i])
	}
	return out
}

// Grid lays out at most n >= 1 points, as evenly as the number allows: the parameters get as many
// levels each, the first ones one more where that fits. Levels include both bounds; a single level
// is the middle.
func (s Space) Grid(n int) [][]float64 {
	levels := make([]int, len(s))
	for i := range levels {
		levels[i] = 1
	}
	size := 1
	for grew := true; grew; {
		grew = false
		for i, p := range s {
			if c := p.Count(); (c == 0 || levels[i] < c) && size/levels[i] <= n/(levels[i]+1) {
				size = size / levels[i] * (levels[i] + 1)
				levels[i]++
				grew = true
			}
		}
	}
	out := make([][]float64, size)
	for k := range out {
		x, rest := make([]float64, len(s)), k
		for i := len(s) - 1; i >= 0; i-- {
			x[i] = 0.5
			if levels[i] > 1 {
				x[i] = float64(rest%levels[i]) / float64(levels[i]-1)
			}
			rest /= levels[i]
		}
		out[k] = s.Snap(x)
	}
	return out
}
