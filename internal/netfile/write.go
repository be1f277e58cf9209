package netfile

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"tarry/internal/weights"
)

// first is the line that a file begins with.
const first = "tarry network 1"

// Write writes the network as text that reads back to the last bit.
func (n *Net) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	f := &n.form
	answers := "logits"
	if f.Values {
		answers = "values"
	}
	if f.Scores {
		answers = "scores"
	}
	if f.Duel {
		answers = "duel"
	}
	fmt.Fprintf(b, "%s\nobservation %d\nchoices %s\nfirst %s\nmasked %v\nanswers %s\nclip %s\nnetwork %s\n", first,
		f.Obs, spaced(f.Sizes), spaced(f.First), f.Masked, answers, weights.Number(f.Clip), f.network1())
	for i := range n.matrices {
		m := &n.matrices[i]
		fmt.Fprintf(b, "matrix %s %d %d\n", m.Name, m.Rows, m.Cols)
		for k, v := range m.W {
			b.WriteString(weights.Number(v))
			if (k+1)%m.Cols == 0 {
				b.WriteByte('\n')
			} else {
				b.WriteByte(' ')
			}
		}
	}
	return b.Flush()
}

// network1 is the line that states how the network is made.
func (f *Form) network1() string {
	if s := f.Set; s != nil {
		return fmt.Sprintf("set %s %d global=%d slots=%d features=%d extra=%d each=%d present=%d", f.Activation, f.Hidden[0],
			s.Global, s.Slots, s.Features, s.Extra, s.Each, s.Present)
	}
	return strings.TrimSpace("mlp " + f.Activation + " " + spaced(f.Hidden))
}

// spaced writes numbers with spaces between them.
func spaced(all []int) string { return strings.Trim(fmt.Sprint(all), "[]") }
