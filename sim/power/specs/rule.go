package specs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarry/sim/param"
	"tarry/sim/power"
)

// None is the setting of a run without energy, Auto of one whose machines have the specs of their
// GPU types.
const (
	None = "none"
	Auto = "auto"
)

// Forms states how the setting is written, Params what its options are: key, meaning.
const (
	Forms  = "none, auto, NAME, each with [:boot_s=300,off_w=15,...], or FILE.yaml by GPU type"
	Params = `off_w       a machine that is off, watts
boot_w      a machine that boots, watts
idle_w      a machine that is on or stopping, without its GPUs, watts
gpu_idle_w  each GPU of such a machine, watts
linear_w    one GPU in full use at a clock of c, beyond that: linear_w c + cubic_w c^3 watts, in place of a curve
cubic_w     see linear_w
curve       the same as points CLOCK:WATTS joined by +, clocks relative to nominal and ascending
boot_s      from a power-on to use, s
down_s      from a power-off to off, s
cycle_j     energy of one power-off and power-on beside these states, J
scale       all watts and joules times it
use         compute: a GPU is in use while its job computes | job: by the job's column of GPU utilisation`
)

const maxWatts = 1e9

// Rule gives machines their specs. Parse makes one; it does not change, and many runs may share it.
type Rule struct {
	text    string
	byName  bool // auto
	options string
	only    power.Spec            // of each machine, where neither byName nor ofType is set
	ofType  map[string]power.Spec // lower case; nil = no file
	jobs    bool
}

// Parse reads a setting; nil for "" and none. The error joins all faults.
func Parse(text string) (*Rule, error) {
	if text == "" || text == None {
		return nil, nil
	}
	if isFile(text) {
		return readFile(text)
	}
	what := fmt.Sprintf("power %q", text)
	name, options, _ := strings.Cut(text, ":")
	row, names := find(name)
	if name == Auto {
		row, names = Row{}, ""
	}
	if names != "" {
		return nil, fmt.Errorf("%s: unknown spec %q, expected none, auto, FILE.yaml or one of %s", what, name, names)
	}
	r := &Rule{text: text, byName: name == Auto, options: options, only: row.Spec}
	s := param.Parse(what, options)
	r.jobs = readUse(s)
	readSpec(s, &r.only)
	if err := errors.Join(s.Err(), r.only.Validate()); err != nil {
		return nil, err
	}
	return r, nil
}

// String is the setting.
func (r *Rule) String() string { return r.text }

// Files lists the files that a setting names, which may not be there.
func Files(text string) []string {
	if isFile(text) {
		return []string{text}
	}
	return nil
}

func isFile(text string) bool {
	return strings.HasSuffix(text, ".yaml") || strings.HasSuffix(text, ".yml")
}

// Options lists the options of a spec with their ranges, and their defaults of the first row.
func (r *Row) Options() []param.Setting {
	s, spec := param.Parse("", ""), r.Spec
	readSpec(s, &spec)
	readUse(s)
	return s.Settings()
}

// readUse reports whether jobs state how much they use their GPUs.
func readUse(s *param.Set) bool { return s.Enum("use", "compute", "job") == "job" }

// readSpec takes the numbers of a spec over its present ones. Faults are noted in s.
func readSpec(s *param.Set, to *power.Spec) {
	for _, f := range []struct {
		key string
		v   *float64
	}{{"off_w", &to.OffW}, {"boot_w", &to.BootW}, {"idle_w", &to.IdleW}, {"gpu_idle_w", &to.GPUIdleW},
		{"boot_s", &to.BootS}, {"down_s", &to.DownS}, {"cycle_j", &to.CycleJ}} {
		*f.v = s.Float(f.key, *f.v, 0, maxWatts)
	}
	if s.Has("linear_w") || s.Has("cubic_w") {
		if s.Has("curve") {
			s.Fault("curve and linear_w or cubic_w are given, expected a curve or these")
		}
		to.Curve = nil
	}
	to.LinearW, to.CubicW = s.Float("linear_w", to.LinearW, 0, maxWatts), s.Float("cubic_w", to.CubicW, 0, maxWatts)
	readCurve(s, to)
	if k := s.Float("scale", 1, 0, 1e6); k != 1 {
		scale(to, k)
	}
}

// readCurve reads CLOCK:WATTS joined by +.
func readCurve(s *param.Set, to *power.Spec) {
	const want = "points CLOCK:WATTS joined by +, clocks ascending in (0, 10], watts in 0..1e+09"
	var now []string
	for _, p := range to.Curve {
		now = append(now, fmt.Sprintf("%g:%g", p.FreqFrac, p.Watts))
	}
	texts := s.Texts("curve", now)
	if !s.Has("curve") {
		return
	}
	curve, last := []power.Point(nil), 0.0
	for _, text := range texts {
		clock, watts, _ := strings.Cut(text, ":")
		c, err1 := param.ParseFloat(strings.TrimSpace(clock))
		w, err2 := param.ParseFloat(strings.TrimSpace(watts))
		if err1 != nil || err2 != nil || !(c > last && c <= 10) || !(w >= 0 && w <= maxWatts) {
			s.Wrong("curve", want)
			return
		}
		last = c
		curve = append(curve, power.Point{FreqFrac: c, Watts: w})
	}
	to.Curve = curve
}

// scale multiplies all watts and joules.
func scale(s *power.Spec, k float64) {
	for _, v := range [...]*float64{&s.OffW, &s.BootW, &s.IdleW, &s.GPUIdleW, &s.LinearW, &s.CubicW, &s.CycleJ} {
		*v *= k
	}
	s.Curve = slices.Clone(s.Curve)
	for i := range s.Curve {
		s.Curve[i].Watts *= k
	}
}
