package search

import (
	"errors"
	"fmt"
	"slices"

	"tarry/internal/pack"
)

// Optimiser leads a Method through questions and answers. It belongs to one goroutine.
type Optimiser struct {
	name    string
	cfg     Config
	method  Method
	known   []Observation
	pending []Ask
	whole   bool // the pending batch was not cut short by the budget
	batches int
	spent   int // windows that were asked for
	over    bool
}

// New starts an optimiser. name is the method's with its settings: it names the random
// streams, and a state is only loaded under the same name.
func New(name string, c Config, m Method) (*Optimiser, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return &Optimiser{name: name, cfg: c, method: m}, nil
}

// Ask gives the points to be measured next, the same ones until Tell gives their values; none when
// the search is over or the budget is spent. A batch that is larger than what is left of the budget
// is cut short.
func (o *Optimiser) Ask() []Ask {
	left := o.cfg.Budget*o.cfg.Windows - o.spent
	if o.pending == nil && !o.over && left > 0 {
		batch := o.propose()
		o.whole = true
		for i, a := range batch {
			if left -= a.To - a.From; left < 0 {
				batch, o.whole = batch[:i], false
				break
			}
		}
		o.over = len(batch) == 0
		o.post(batch)
	}
	return o.pending
}

// propose asks the method, with points cut to the cube.
func (o *Optimiser) propose() []Ask {
	batch := o.method.Propose(o.known, o.cfg.Source.Stream(fmt.Sprintf("search/%s/%d", o.name, o.batches)))
	for i := range batch {
		batch[i].X = o.cfg.Space.Snap(batch[i].X)
	}
	return batch
}

func (o *Optimiser) post(batch []Ask) {
	if len(batch) == 0 {
		return
	}
	o.pending = batch
	for _, a := range batch {
		o.spent += a.To - a.From
	}
}

// Tell takes the values of the points that Ask gave: for each one its value on each window.
func (o *Optimiser) Tell(values [][]float64) error {
	if len(values) != len(o.pending) || len(values) == 0 {
		return fmt.Errorf("values of %d points, %d were asked for", len(values), len(o.pending))
	}
	for i, a := range o.pending {
		if len(values[i]) != a.To-a.From {
			return fmt.Errorf("point %d has %d values, expected one for each of %d windows", i, len(values[i]),
				a.To-a.From)
		}
	}
	for i, a := range o.pending {
		seen := Observation{Ask: a, Batch: o.batches, Values: slices.Clone(values[i])}
		seen.settle()
		o.known = append(o.known, seen)
	}
	if l, ok := o.method.(Learner); ok && o.whole {
		l.Learn(o.known[len(o.known)-len(o.pending):])
	}
	o.pending = nil
	o.batches++
	return nil
}

// Known lists all values so far, in order. The caller must not change it.
func (o *Optimiser) Known() []Observation { return o.known }

// Spent is how many windows were asked for, of Config.Budget x Config.Windows.
func (o *Optimiser) Spent() int { return o.spent }

// format names the layout of a state.
const format = "tarry/search/1"

// Save gives everything that the optimiser needs to continue with the same asks.
func (o *Optimiser) Save() []byte {
	w := pack.NewWriter(format)
	w.Bytes([]byte(o.identity()))
	w.Int(o.batches)
	w.Int(len(o.known))
	for _, k := range o.known {
		w.Int(k.Batch)
		putAsk(w, k.Ask)
		w.Float64s(k.Values)
	}
	w.Bool(o.whole)
	w.Bool(o.over)
	w.Int(len(o.pending))
	for _, a := range o.pending {
		putAsk(w, a)
	}
	return w.Seal()
}

func putAsk(w *pack.Writer, a Ask) {
	w.Int(a.From)
	w.Int(a.To)
	w.Float64s(a.X)
}

// identity is what a state belongs to.
func (o *Optimiser) identity() string {
	return fmt.Sprintf("%s on %v, seed %+v, budget %d on %d windows", o.name, o.cfg.Space, o.cfg.Source, o.cfg.Budget,
		o.cfg.Windows)
}

// Load continues a search that was saved. The method must be fresh.
func Load(name string, c Config, m Method, saved []byte) (*Optimiser, error) {
	o, err := New(name, c, m)
	if err != nil {
		return nil, err
	}
	r := pack.NewReader(format, saved)
	if of := string(r.Bytes()); r.Err() == nil && of != o.identity() {
		return nil, fmt.Errorf("the state is of %s, expected %s", of, o.identity())
	}
	o.read(r)
	if err := r.Close(); err != nil {
		return nil, fmt.Errorf("state of a search: %w", err)
	}
	return o, o.retrace()
}

// read fills the log; the budget bounds what is believed of its lengths.
func (o *Optimiser) read(r *pack.Reader) {
	o.batches = r.Int()
	for n := o.count(r); n > 0 && r.Err() == nil; n-- {
		k := Observation{Batch: r.Int(), Ask: o.getAsk(r)}
		if r.Err() != nil {
			return
		}
		if k.Batch < 0 || k.Batch >= o.batches || len(o.known) > 0 && k.Batch < o.known[len(o.known)-1].Batch {
			r.Fail(fmt.Errorf("batch %d is out of order", k.Batch))
			return
		}
		k.Values = make([]float64, k.To-k.From)
		r.Float64s(k.Values)
		k.settle()
		o.known = append(o.known, k)
	}
	o.whole, o.over = r.Bool(), r.Bool()
	for n := o.count(r); n > 0 && r.Err() == nil; n-- {
		o.pending = append(o.pending, o.getAsk(r))
	}
}

// count reads a length.
func (o *Optimiser) count(r *pack.Reader) int {
	n := r.Int()
	if n < 0 {
		r.Fail(fmt.Errorf("a length is %d, expected at least 0", n))
	}
	return n
}

// getAsk reads a point and counts it.
func (o *Optimiser) getAsk(r *pack.Reader) Ask {
	a := Ask{From: r.Int(), To: r.Int(), X: make([]float64, len(o.cfg.Space))}
	r.Float64s(a.X)
	left := o.cfg.Budget*o.cfg.Windows - o.spent
	if r.Err() == nil && (a.From < 0 || a.To <= a.From || a.To-a.From > left || a.From > maxEvaluations) {
		r.Fail(fmt.Errorf("windows %d to %d, expected at most %d", a.From, a.To, left))
	}
	for _, u := range a.X {
		if !(u >= 0 && u <= 1) {
			r.Fail(fmt.Errorf("coordinate %v, expected one in [0, 1]", u))
		}
	}
	o.spent += a.To - a.From
	return a
}

// retrace leads a method with a state of its own through the log.
func (o *Optimiser) retrace() error {
	l, ok := o.method.(Learner)
	if !ok {
		return nil
	}
	all, batches := o.known, o.batches
	o.known, o.batches = nil, 0
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Batch == all[0].Batch {
			n++
		}
		asked := o.propose()
		if len(asked) < n || all[0].Batch != o.batches || !matches(asked, all[:n]) {
			return errForeign
		}
		o.known = append(o.known, all[:n]...)
		if len(asked) == n {
			l.Learn(all[:n])
		}
		o.batches++
		all = all[n:]
	}
	if o.batches != batches {
		return errForeign
	}
	if len(o.pending) > 0 {
		asked := o.propose()
		if len(asked) < len(o.pending) || !matches(asked, observed(o.pending)) {
			return errForeign
		}
	}
	return nil
}

var errForeign = errors.New("state of a search: the method does not ask what the state states it asked, expected one " +
	"that this version wrote")

func observed(a []Ask) []Observation {
	out := make([]Observation, len(a))
	for i := range a {
		out[i].Ask = a[i]
	}
	return out
}

// matches compares the first asks with what was asked.
func matches(asked []Ask, was []Observation) bool {
	for i, w := range was {
		if a := asked[i]; a.From != w.From || a.To != w.To || !slices.Equal(a.X, w.X) {
			return false
		}
	}
	return true
}
