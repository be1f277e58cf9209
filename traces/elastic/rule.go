package elastic

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarry/sim/param"
)

// Forms states how the setting is written, Doc what its keys are: key, meaning, default.
const (
	Forms = "min=1,max=2x[,fraction=F,most=N,worker=N,powers=true,only=MODEL+...,limits=FILE.csv,replace=true]"
	Doc   = `min       least GPUs of a job: a count N, or Fx of what it asks for, rounded up; by size: 1x+8:0.5x, FROM:VALUE joined by +
max       most GPUs, as min, rounded down
most      bound of every max, GPUs; 0 = none
fraction  part of the jobs that are elastic, drawn from the stream "elastic" of the run's seed
worker    GPUs of a worker (pod), of which a job has whole ones, or its largest divisor that divides the demand
powers    true: both ends are powers of two, or the demand
only      models that are elastic, joined by +; none = all
limits    CSV with model and some of min_gpus, max_gpus, worker_gpus: bounds of a model's ranges; model * = all others
replace   true: ranges that the trace gives do not count`
)

// maxGPUs is the largest count of a rule, as of readers of traces.
const maxGPUs = 1_000_000

// Rule states which jobs are elastic, and how far. Parse makes one; it does not change, and many
// runs may share it.
type Rule struct {
	min, max []bound
	most     int32
	fraction float64
	worker   int32
	powers   bool
	only     []string // in lower case
	limits   map[string]limit
	replace  bool
	text     string
}

// bound is one end of the range of jobs that ask for at least from GPUs: a count, or times their
// demand.
type bound struct {
	from, count int32
	times       float64
}

// Parse reads a setting. The error joins all faults, including the file of limits'.
func Parse(spec string) (*Rule, error) {
	s := param.Parse("elastic", spec)
	r := &Rule{text: spec}
	file := r.read(s)
	if !s.Has("min") && !s.Has("max") && file == "" {
		s.Missing("min or max", "at least one, such as min=1,max=2x, or limits=FILE")
	}
	var err error
	if file != "" {
		if r.limits, err = readLimits(file); err != nil {
			err = fmt.Errorf("elastic: %w", err)
		}
	}
	if err := errors.Join(s.Err(), err); err != nil {
		return nil, err
	}
	return r, nil
}

// Options lists the keys of Doc with their ranges and defaults.
func Options() []param.Setting {
	s := param.Parse("", "")
	new(Rule).read(s)
	return s.Settings()
}

// read reads all keys, but for the content of the file of limits that it names; "" = none.
func (r *Rule) read(s *param.Set) (file string) {
	r.min, r.max = bounds(s, "min"), bounds(s, "max")
	r.most = int32(s.Int("most", 0, 0, maxGPUs))
	r.fraction = s.Float("fraction", 1, 0, 1)
	r.worker = int32(s.Int("worker", 1, 1, maxGPUs))
	r.powers = s.Bool("powers", false)
	for _, name := range s.Texts("only", nil) {
		if r.only = append(r.only, strings.ToLower(name)); name == "" {
			s.Wrong("only", "names of models joined by +")
		}
	}
	file = s.Text("limits", "")
	r.replace = s.Bool("replace", false)
	return file
}

// Files lists the files that a setting names.
func Files(spec string) []string {
	if file := param.Parse("", spec).Text("limits", ""); file != "" {
		return []string{file}
	}
	return nil
}

// bounds reads one end of the ranges.
func bounds(s *param.Set, key string) []bound {
	const want = "a count such as 4, a multiple such as 0.5x, or these by size, FROM:VALUE joined by +, with " +
		"rising sizes"
	var out []bound
	for _, text := range s.Texts(key, []string{"1x"}) {
		b := bound{from: 1}
		value := text
		if from, rest, ok := strings.Cut(text, ":"); ok {
			n, err := strconv.Atoi(from)
			if value = rest; err != nil || n < 1 || n > maxGPUs {
				s.Wrong(key, want)
				return nil
			}
			b.from = int32(n)
		}
		if !b.read(value) || len(out) > 0 && b.from <= out[len(out)-1].from {
			s.Wrong(key, want)
			return nil
		}
		out = append(out, b)
	}
	return out
}

// read takes a count or a multiple.
func (b *bound) read(text string) bool {
	if factor, ok := strings.CutSuffix(text, "x"); ok {
		f, err := param.ParseFloat(factor)
		b.times = f
		return err == nil && f > 0 && f <= 1e6
	}
	n, err := strconv.Atoi(text)
	b.count = int32(n)
	return err == nil && n >= 1 && n <= maxGPUs
}

// String is the setting.
func (r *Rule) String() string { return r.text }

// names reports whether a model may be elastic.
func (r *Rule) names(model string) bool {
	if len(r.only) == 0 {
		return true
	}
	name := strings.ToLower(model)
	return slices.Contains(r.only, name) || slices.Contains(r.only, base(name))
}

// base is a name without the batch size that some traces write into it.
func base(name string) string {
	b, _, _ := strings.Cut(name, " (batch size ")
	return b
}
