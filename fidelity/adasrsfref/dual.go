package adasrsfref

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"tarry/fidelity/reference"
	"tarry/internal/fraction"
)

// threshold is how much must be left of a transfer, in sizes of a new one, for the sum of both ends
// to be least when the new one begins at once: with b ms per MB alone and 2 b + eta each together.
func threshold(b, eta float64) float64 { return 2 * (b + eta) / b }

// dual is AdaDUAL: whether a transfer begins beside another of which left MB are left.
func dual(left, size, threshold float64) bool { return left/size >= threshold }

// endsNow gives the ends of an old and a new transfer that begin together.
func endsNow(b, eta, left, size float64) (old, fresh float64) {
	both := float64((2*b + eta) * min(left, size))
	return both + float64(b*max(0, left-size)), both + float64(b*max(0, size-left))
}

// endsLater gives the ends where the new transfer waits for the old one.
func endsLater(b, left, size float64) (old, fresh float64) {
	old = float64(b * left)
	return old, old + float64(b*size)
}

const (
	decisions = "decisions.json"
	dualTol   = 1e-9
)

// decision is a case: fractions as text.
type decision struct {
	B         fraction.Number    `json:"b"`
	Eta       fraction.Number    `json:"eta"`
	OldLeft   fraction.Number    `json:"old_left"`
	New       fraction.Number    `json:"new"`
	Now       [2]fraction.Number `json:"ends_if_now"`
	Wait      [2]fraction.Number `json:"ends_if_wait"`
	SumNow    fraction.Number    `json:"sum_if_now"`
	SumWait   fraction.Number    `json:"sum_if_wait"`
	Admit     *bool              `json:"admit"`
	Threshold fraction.Number    `json:"threshold"`
}

// DualReader compares folders with decisions of AdaDUAL: decisions are to be equal, ends and
// thresholds to 1e-9, relative.
func DualReader() reference.Reader {
	return reference.Reader{Name: "adadual", Knows: func(f *reference.Folder) bool {
		return slices.Contains(f.Files, decisions)
	}, Compare: compareDual}
}

func compareDual(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o := reference.Outcome{Unit: "relative"}
	text, err := os.ReadFile(filepath.Join(f.Dir, decisions))
	if err != nil {
		return o, err
	}
	var cases []decision
	if err := json.Unmarshal(text, &cases); err != nil {
		return o, fmt.Errorf("%s: %w", decisions, err)
	}
	for i, c := range cases {
		off, err := c.off()
		o.Value("decisions", decisions, i, off, dualTol, err)
	}
	return o, ctx.Err()
}

// off decides a case, and gives by how much its ends or threshold differ.
func (c *decision) off() (worst float64, err error) {
	b, eta, left, size := float64(c.B), float64(c.Eta), float64(c.OldLeft), float64(c.New)
	if !(b > 0 && eta >= 0 && left > 0 && size > 0) || c.Admit == nil {
		return math.NaN(), fmt.Errorf("b %v, eta %v, old_left %v, new %v, expected numbers above 0 and admit", b, eta, left,
			size)
	}
	old, fresh := endsNow(b, eta, left, size)
	oldLater, freshLater := endsLater(b, left, size)
	for _, pair := range [...][2]float64{{old, float64(c.Now[0])}, {fresh, float64(c.Now[1])},
		{oldLater, float64(c.Wait[0])}, {freshLater, float64(c.Wait[1])}, {old + fresh, float64(c.SumNow)},
		{oldLater + freshLater, float64(c.SumWait)}, {threshold(b, eta), float64(c.Threshold)}} {
		worst = max(worst, reference.Apart(pair[0], pair[1]))
	}
	if got := dual(left, size, threshold(b, eta)); got != *c.Admit {
		return worst, fmt.Errorf("the new transfer begins at once: %v, there %v", got, *c.Admit)
	}
	return worst, nil
}
