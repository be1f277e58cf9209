package progress

import (
	"math"
	"slices"

	"tarry/sim/rng"
)

// Features are what a prediction reads of a job. A feature that is not known is 0 for all jobs.
type Features [5]float64

// Row is an epoch of a job that has ended.
type Row struct {
	X Features
	// Epochs are the epochs that were trained, > 0, Part the part of all samples that was
	// processed, in (0, 1), Left the epochs that were left, >= 0.
	Epochs, Part, Left float64
}

// Kind is how b is found.
type Kind uint8

// The kinds.
const (
	// Net is the network.
	Net Kind = iota
	// Mean is the mean of the epochs left, the same for all.
	Mean
	// Lindy takes as many as have passed.
	Lindy
)

// Config is the settings of a Model.
type Config struct {
	Kind Kind
	// Hidden is the number of units, Passes how often each row is seen by a training, Rows how many
	// of the last are kept; all >= 1.
	Hidden, Passes, Rows int
	// Rate is the step size of Adam, > 0.
	Rate float64
}

// Model predicts b. Build it with New.
type Model struct {
	cfg  Config
	rows []Row
	at   int // where the next row goes once they are as many as are kept
	net  *net
	mean float64 // epochs left; NaN = nothing is learned yet
}

// New is a model that has seen nothing. The stream draws weights and the order of rows, and must be
// its own.
func New(c Config, r *rng.Stream) *Model {
	m := &Model{cfg: c, mean: math.NaN()}
	if c.Kind == Net {
		m.net = newNet(c.Hidden, r)
	}
	return m
}

// Clone gives an independent copy.
func (m *Model) Clone() *Model {
	c := *m
	c.rows = slices.Clone(m.rows)
	if m.net != nil {
		c.net = m.net.clone()
	}
	return &c
}

// Add takes a row; the oldest goes where there are too many. A Part that is not in (0, 1) is left
// out.
func (m *Model) Add(r Row) {
	switch {
	case !(r.Part > 0 && r.Part < 1 && r.Epochs > 0):
	case len(m.rows) < m.cfg.Rows:
		m.rows = append(m.rows, r)
	default:
		m.rows[m.at] = r
		m.at = (m.at + 1) % m.cfg.Rows
	}
}

// Train learns from the rows there are.
func (m *Model) Train() {
	if len(m.rows) == 0 {
		return
	}
	sum := 0.0
	for i := range m.rows {
		sum += m.rows[i].Left
	}
	m.mean = sum / float64(len(m.rows))
	if m.net != nil && m.mean > 0 {
		m.net.train(m.rows, m.mean, m.cfg.Passes, m.cfg.Rate)
	}
}

// B is the second parameter of the law of a job that has trained so many epochs, >= 1.
func (m *Model) B(x *Features, epochs float64) float64 {
	switch {
	case math.IsNaN(m.mean) || m.cfg.Kind == Lindy:
		return math.Max(1, epochs)
	case m.net == nil || m.mean == 0:
		return 1 + m.mean
	}
	return m.net.b(x)
}
