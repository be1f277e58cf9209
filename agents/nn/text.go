package nn

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"tarry/internal/netfile"
)

// Head states what a network's answers choose and how its observations are scaled.
type Head struct {
	// Sizes has the number of choices of each component of an action, First what the first choice of
	// each is called.
	Sizes, First []int
	// Masked states that there is a mask.
	Masked bool
	// Values: the answers are values of actions, Scores: they put a list in order. Otherwise they are
	// logits.
	Values, Scores bool
	// Clip bounds scaled observations; 0 = they are not scaled. Scale has a mean and a deviation for
	// each of their numbers.
	Clip  float64
	Scale []float64
}

// Text gives a network as the text of a file that acts by it: see internal/netfile. prefix is the
// name of the network. A network that such a file cannot have is an error.
func Text(h *Head, prefix string, n Net) ([]byte, error) {
	f := &netfile.Form{Obs: n.In(), Sizes: h.Sizes, First: h.First, Masked: h.Masked, Values: h.Values, Scores: h.Scores,
		Clip: h.Clip}
	if err := describe(f, prefix, n); err != nil {
		return nil, err
	}
	var all []netfile.Matrix
	if h.Clip > 0 {
		all = append(all, netfile.Matrix{Name: "scale", Rows: n.In(), Cols: 2, W: h.Scale})
	}
	for _, p := range n.Params() {
		all = append(all, netfile.Matrix{Name: strings.TrimPrefix(p.Name, prefix+"/"), Rows: p.Rows, Cols: p.Cols,
			W: slices.Clone(p.W)})
	}
	made, err := netfile.New(*f, all)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = made.Write(&text)
	return text.Bytes(), err
}

// describe states in a form how a network is made.
func describe(f *netfile.Form, prefix string, n Net) error {
	switch n := n.(type) {
	case *MLP:
		f.Activation, f.Hidden = n.act.String(), nil
		for _, d := range n.layers[:len(n.layers)-1] {
			f.Hidden = append(f.Hidden, d.w.Cols)
		}
	case *SetNet:
		s := n.shape
		f.Activation, f.Hidden = n.act.String(), []int{n.hidden}
		f.Set = &netfile.Set{Global: s.Global, Slots: s.Slots, Features: s.Features, Extra: s.Extra, Each: s.each()}
		if s.Present || s.Marked {
			f.Set.Present = 1
		}
	case *Duel:
		f.Duel = true
		return describe(f, prefix, n.advantage)
	default:
		return fmt.Errorf("network %s is %T, expected a perceptron, a set network or a duel", prefix, n)
	}
	return nil
}
