package efficiency

import (
	"math"
	"strings"

	"tarry/internal/fixmath"
	"tarry/sim/param"
)

// Forms states how the setting is written, Doc what its keys are: key, meaning, default.
const (
	Forms = "measured or noise=8x,growth=4,epochs=30[,scaling=strong,batch=N,max=32x,min_local=0.25x,max_local=2x," +
		"fixed=0.15,seed=N]"
	Doc = `noise      noise scale of the gradient in the first epoch: samples, or Fx times the job's own batch; LO..HI: drawn for each job, equally likely by the logarithm; inf: a sample is always worth 1 (by model)
growth     noise in the last epoch over that in the first, or LO..HI (by model; 4 where noise is given)
epochs     equal parts of the work, in each of which noise is constant, or LO..HI (by model; 30 where noise is given)
scaling    weak: the batch grows with the GPUs; strong: it stays, and GPUs have fewer samples each
batch      own samples per GPU of a job whose own batch is not known; 0: as its profile, 32 where there is none
max        most samples of an update, N or Fx times the own batch, which is always allowed (by model; 32x where noise is given)
min_local  least samples of a GPU and micro-step, N or Fx times its own (by model; 0.25x where noise is given)
max_local  most samples of a GPU and micro-step, as min_local (by model; 2x where noise is given)
fixed      part of the time to compute a GPU's own samples that does not depend on how many there are
seed       root of the stream "efficiency", from which what is given as LO..HI is drawn`
)

// Measured is the setting that takes all of the laws of models.
const Measured = "measured"

// Rule states how jobs learn. Parse makes one; it does not change, and many runs may share it.
type Rule struct {
	noise, growth, epochs span
	strong                bool
	batch                 int
	most, least, fill     size
	fixed                 float64
	seed                  uint64
	text                  string
}

// span is a number, or two between which one is drawn for each job; given is false for the model's
// own.
type span struct {
	size
	hi float64
}

// drawn reports whether the number differs among jobs.
func (s *span) drawn() bool { return s.hi > s.value }

// at is the number at u in [0, 1) of the way, by logarithm.
func (s *span) at(u float64) float64 {
	if !s.drawn() {
		return s.value
	}
	return min(s.hi, s.value*fixmath.Pow(s.hi/s.value, u))
}

// size is a number of samples, or times an own number.
type size struct {
	value        float64
	times, given bool
}

// of is the size for an own number.
func (s *size) of(own float64) float64 {
	if s.times {
		return s.value * own
	}
	return s.value
}

// Parse reads a setting. The error joins all faults.
func Parse(spec string) (*Rule, error) {
	text := spec
	if spec == Measured {
		text = ""
	} else if rest, ok := strings.CutPrefix(spec, Measured+","); ok {
		text = rest
	}
	s := param.Parse("efficiency", text)
	r := &Rule{text: spec}
	r.read(s)
	if err := s.Err(); err != nil {
		return nil, err
	}
	r.complete()
	return r, nil
}

// Options lists the keys of Doc with their ranges and defaults.
func Options() []param.Setting {
	s := param.Parse("", "")
	new(Rule).read(s)
	return s.Settings()
}

func (r *Rule) read(s *param.Set) {
	r.noise = readSpan(s, "noise", true, 0, math.Inf(1))
	r.growth = readSpan(s, "growth", false, 1e-6, 1e6)
	r.epochs = readSpan(s, "epochs", false, 1, 1e6)
	r.strong = s.Enum("scaling", "weak", "strong") == "strong"
	r.batch = s.Int("batch", 0, 0, 1<<24)
	r.most, r.least, r.fill = readSize(s, "max"), readSize(s, "min_local"), readSize(s, "max_local")
	r.fixed = s.Float("fixed", 0.15, 0, 1)
	r.seed = uint64(s.Int64("seed", 0, 0, math.MaxInt64))
}

// complete sets what is not given beside a noise.
func (r *Rule) complete() {
	if !r.noise.given {
		return
	}
	for _, d := range []struct {
		to    *size
		value float64
		times bool
	}{{&r.growth.size, plainGrowth, false}, {&r.epochs.size, plainEpochs, false}, {&r.most, plainMost, true},
		{&r.least, plainLeast, true}, {&r.fill, plainFill, true}} {
		if !d.to.given {
			*d.to = size{d.value, d.times, true}
		}
	}
}

// String is the setting.
func (r *Rule) String() string { return r.text }

// readSpan reads N or LO..HI, with x behind either where times is allowed.
func readSpan(s *param.Set, key string, times bool, lo, hi float64) span {
	text := s.Text(key, "")
	if text == "" {
		return span{}
	}
	want := "a number, or LO..HI"
	if times {
		want = "samples such as 5000, times the own batch such as 8x, a range of either such as 2x..32x, or inf"
	}
	from, to, ranged := strings.Cut(text, "..")
	a, ok := readNumber(from, times)
	b := a
	if ok && ranged {
		b, ok = readNumber(to, times)
		ok = ok && a.times == b.times && a.value > 0 && b.value >= a.value && !math.IsInf(b.value, 1)
	}
	if !ok || !(a.value >= lo && b.value <= hi) || key == "epochs" &&
		(a.value != math.Trunc(a.value) || b.value != math.Trunc(b.value)) {
		if key == "epochs" {
			want = "a whole number in 1..1000000, or LO..HI"
		}
		s.Wrong(key, want)
		return span{}
	}
	return span{a, b.value}
}

// readSize reads N or Fx.
func readSize(s *param.Set, key string) size {
	text := s.Text(key, "")
	if text == "" {
		return size{}
	}
	z, ok := readNumber(text, true)
	if !ok || z.value <= 0 || z.value > 1e9 {
		s.Wrong(key, "samples such as 512, or times the own number such as 2x")
		return size{}
	}
	return z
}

func readNumber(text string, times bool) (size, bool) {
	z := size{given: true}
	if f, ok := strings.CutSuffix(text, "x"); ok && times {
		text, z.times = f, true
	}
	if text == "inf" && times && !z.times {
		z.value = math.Inf(1)
		return z, true
	}
	v, err := param.ParseFloat(text)
	z.value = v
	return z, err == nil && v >= 0 && !math.IsInf(v, 0)
}
