package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"tarry/agents/nn"
	agents "tarry/agents/registry"
)

// format names the layout of a checkpoint of a run and its version.
const format = "tarry/train/1"

// header is the part of a checkpoint that can be read by eye.
type header struct {
	Format string `json:"format"`
	// Config and Windows are the SHA-256 of config.json and windows.json.
	Config  string `json:"config_sha256"`
	Windows string `json:"windows_sha256"`
	progress
	// Arithmetic is the build's, as nn.Arithmetic has it.
	Arithmetic string `json:"arithmetic,omitempty"`
}

// progress is where a run is.
type progress struct {
	// Updates made, and which of them did best on validation (0 = none yet).
	Updates    int `json:"updates"`
	BestUpdate int `json:"best_update"`
	// Stale counts validations since the best; Stopped states that they were too many.
	Stale   int  `json:"stale"`
	Stopped bool `json:"stopped"`
}

// state is a run between two updates, but for the learner.
type state struct {
	progress
	best float64 // mean return of the best validation
	rows []row
	// arithmetic is the arithmetic of the build that saved it.
	arithmetic string
}

// row is a row of the curves.
type row struct {
	agents.Row
	validation float64 // NaN = none after this update
}

// validated is the mean return on validation of what is saved: of the best, or else of the last
// that was validated.
func (st *state) validated(which string) float64 {
	if which == "best" {
		return st.best
	}
	for i := len(st.rows) - 1; i >= 0; i-- {
		if v := st.rows[i].validation; !math.IsNaN(v) {
			return v
		}
	}
	return math.NaN()
}

// numbers is how many numbers numbersOf gives.
const numbers = 13

func (r *row) numbersOf() [numbers]float64 {
	return [numbers]float64{float64(r.Update), float64(r.Steps), float64(r.Episodes), r.Return, r.ReturnStd,
		r.PolicyLoss, r.ValueLoss,
		r.Entropy, r.KL, r.ClipFraction, r.ExplainedVariance, r.LearningRate, r.validation}
}

func rowOf(x []float64) row {
	return row{agents.Row{Update: int(x[0]), Steps: int(x[1]), Episodes: int(x[2]), Return: x[3], ReturnStd: x[4],
		PolicyLoss: x[5], ValueLoss: x[6],
		Entropy: x[7], KL: x[8], ClipFraction: x[9], ExplainedVariance: x[10], LearningRate: x[11]}, x[12]}
}

// encode gives the bytes of a checkpoint.
func (st *state) encode(h header, learner []byte) ([]byte, error) {
	h.Format, h.progress, h.Arithmetic = format, st.progress, nn.Arithmetic()
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	s := &nn.State{}
	s.Put("header", text)
	s.PutFloats("best", []float64{st.best})
	x := make([]float64, 0, len(st.rows)*numbers)
	for i := range st.rows {
		n := st.rows[i].numbersOf()
		x = append(x, n[:]...)
	}
	s.PutFloats("curves", x)
	s.Put("learner", learner)
	return s.Encode(), nil
}

// decode reads a checkpoint; want has the hashes that it must be of.
func decode(data []byte, want header) (*state, []byte, error) {
	s, err := nn.DecodeState(data)
	if err != nil {
		return nil, nil, err
	}
	text, err := s.Get("header")
	if err != nil {
		return nil, nil, err
	}
	var h header
	if err := json.Unmarshal(text, &h); err != nil || h.Format != format {
		return nil, nil, fmt.Errorf("format is %q, expected %q", h.Format, format)
	}
	if h.Config != want.Config {
		return nil, nil, errors.New("it is of another configuration than config.json beside it")
	}
	if h.Windows != want.Windows {
		return nil, nil, errors.New("it is of other windows than windows.json beside it lists")
	}
	st := &state{progress: h.progress, arithmetic: h.Arithmetic}
	best := []float64{math.NaN()}
	if err := s.Floats("best", best); err != nil {
		return nil, nil, err
	}
	st.best = best[0]
	if h.Updates < 0 {
		return nil, nil, fmt.Errorf("updates are %d, expected at least 0", h.Updates)
	}
	x := make([]float64, h.Updates*numbers)
	if err := s.Floats("curves", x); err != nil {
		return nil, nil, err
	}
	for i := 0; i < len(x); i += numbers {
		st.rows = append(st.rows, rowOf(x[i:i+numbers]))
	}
	learner, err := s.Get("learner")
	return st, learner, err
}
