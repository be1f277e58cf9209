package nn

import (
	"fmt"
	"slices"
	"strings"

	"tarry/internal/netfile"
)

// Describe states in a form how a network is made, and gives its weights in the order of the form's
// matrices; they are copies. prefix is the name of the network. A network that a file cannot have is
// an error.
func Describe(f *netfile.Form, prefix string, n Net) ([]netfile.Matrix, error) {
	switch n := n.(type) {
	case *MLP:
		f.Activation, f.Hidden = n.act.String(), nil
		for _, d := range n.layers[:len(n.layers)-1] {
			f.Hidden = append(f.Hidden, d.w.Cols)
		}
	case *SetNet:
		s := n.shape
		if s.Marked {
			return nil, fmt.Errorf("network %s puts a list in order, expected one that makes choices", n.name)
		}
		f.Activation, f.Hidden = Tanh.String(), []int{n.hidden}
		f.Set = &netfile.Set{Global: s.Global, Slots: s.Slots, Features: s.Features, Extra: s.Extra, Each: s.each()}
	case *Duel:
		f.Duel = true
		if _, err := Describe(f, prefix, n.advantage); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("network %s is %T, expected a perceptron, a set network or a duel", prefix, n)
	}
	var all []netfile.Matrix
	for _, p := range n.Params() {
		all = append(all, netfile.Matrix{Name: strings.TrimPrefix(p.Name, prefix+"/"), Rows: p.Rows, Cols: p.Cols,
			W: slices.Clone(p.W)})
	}
	return all, nil
}
