package score

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/internal/weights"
)

const magic = "tarry-score 1"

// number is one "name = value" of a file beside the weights.
type number struct {
	name   string
	to     *float64
	lo, hi float64
	seldom bool // not written where it is 0
}

// MostGate bounds Gates on either side.
const MostGate = 8

// numbers are the numbers of a rule; timers are read and written apart.
func (r *Rule) numbers() []number {
	inf := math.Inf(1)
	return []number{
		{"margin", &r.Globals.Margin, 0, inf, false}, {"min_run", &r.Globals.MinRun, 0, 1e4, false},
		{"lull_min_run", &r.Globals.Least.Lull, -MostGate, MostGate, true},
		{"doubt_min_run", &r.Globals.Least.Doubt, -MostGate, MostGate, true},
		{"t_rack", &r.Globals.Rack, 0, inf, false}, {"t_net", &r.Globals.Net, 0, inf, false},
		{"law_median_s", &r.Law.MedianS, 1e-3, 1e12, false}, {"law_spread", &r.Law.Spread, 0, 4, false},
	}
}

// WriteTo writes the rule as text that Parse reads back to the last bit: a header, then one "name =
// value" per line.
func (r *Rule) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	predictor := r.Predictor
	if predictor == "" {
		predictor = "none"
	}
	fmt.Fprintf(&b, "%s\npredictor %s\nfeatures %s\nhidden %d\n\n", magic, predictor,
		strings.Join(r.Func.Terms(), " "), r.Func.Hidden())
	for _, n := range r.numbers() {
		if n.seldom && *n.to == 0 {
			continue
		}
		text := weights.Number(*n.to)
		if math.IsNaN(*n.to) {
			text = "auto"
		}
		fmt.Fprintf(&b, "%s = %s\n", n.name, text)
	}
	if r.NoLease {
		b.WriteString("preempt = false\n")
	}
	if r.Backfill != "" {
		fmt.Fprintf(&b, "backfill = %s\n", r.Backfill)
	}
	b.WriteByte('\n')
	b.WriteString(weights.Lines(r.Func.Names(), r.Func.Weights()))
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// Parse reads a rule. name stands in errors, which join up to 20 faults with line, value and what
// was expected. Every weight of the features is there once, in any order; empty lines and lines
// that begin with # are ignored.
func Parse(name string, in io.Reader) (*Rule, error) {
	p := parser{weights.New(name, in), &Rule{Globals: DefaultGlobals(), Law: DefaultLaw()}}
	p.header()
	if p.Sound() {
		p.body()
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	return p.rule, nil
}

type parser struct {
	*weights.Reader
	rule *Rule
}

// header reads the four lines before the numbers, in their order.
func (p *parser) header() {
	if !p.First(magic) {
		return
	}
	if p.rule.Predictor, _ = p.Word("predictor", "a value"); p.rule.Predictor == "none" {
		p.rule.Predictor = ""
	}
	text, _ := p.Word("features", "a value")
	features, at := strings.Fields(text), p.Line()
	text, _ = p.Word("hidden", "a value")
	hidden, err := strconv.Atoi(text)
	if err != nil && p.Sound() {
		p.Fault("hidden is %q, expected a whole number from 0 to %d", weights.Cut(text), MostHidden)
	}
	if !p.Sound() {
		return
	}
	if p.rule.Func, err = New(features, hidden); err != nil {
		p.FaultAt(at, "%v", err)
	}
}

// body reads the numbers.
func (p *parser) body() {
	names, numbers := p.rule.Func.Names(), p.rule.numbers()
	found, all := make([]float64, len(names)), slices.Clone(names)
	for _, n := range numbers {
		all = append(all, n.name)
	}
	all = append(all, "preempt", "backfill")
	p.Pairs(all, func(i int, text string) {
		switch at := i - len(names); {
		case at < 0:
			found[i] = p.Number(names[i], text, -1e9, 1e9)
		case at < len(numbers):
			n := numbers[at]
			if *n.to = math.NaN(); text != "auto" || n.name != "t_rack" && n.name != "t_net" {
				*n.to = p.Number(n.name, text, n.lo, n.hi)
			}
		default:
			p.manner(all[i], text)
		}
	})
	p.Require(names, "every weight of the features")
	if g := p.rule.Globals; math.IsNaN(g.Rack) != math.IsNaN(g.Net) && p.Sound() {
		p.Fault("t_rack is %v and t_net %v, expected auto for both or none", g.Rack, g.Net)
	}
	p.rule.Func.Set(found)
}

// manner reads one of the two lines that state how jobs take GPUs; without them there are leases,
// and no reservations.
func (p *parser) manner(name, text string) {
	of := []string{"true", "false"}
	if name == "backfill" {
		of = []string{"none", "request", "predicted"}
	}
	switch {
	case !slices.Contains(of, text):
		p.Fault("%s is %q, expected one of %s", name, weights.Cut(text), strings.Join(of, ", "))
	case name == "preempt":
		p.rule.NoLease = text == "false"
	case text != "none":
		p.rule.Backfill = text
	}
}
