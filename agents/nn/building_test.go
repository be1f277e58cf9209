package nn

import (
	"sync"
	"testing"
)

// Graphs that are built at the same time share nothing, which the race detector sees. It sees a
// shared constant only where no earlier test has used it, so this one comes before all others that
// compile a graph.
func TestGraphsAreBuiltSideBySide(t *testing.T) {
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			tape := NewTape(2)
			p := NewParam("p", 1, 1)
			x, _ := tape.Matrix("x", 2, 1)
			y := tape.Relu(tape.Max(tape.Scale(tape.MatMul(x, tape.Param(p)), 2), x))
			m, err := tape.Compile(tape.Sum(tape.SumRows(tape.Tanh(y))))
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := m.Run(); err != nil {
				t.Error(err)
			}
			m.Close()
		})
	}
	group.Wait()
}
