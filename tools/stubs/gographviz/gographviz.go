// Package gographviz stands in for github.com/awalterschulze/gographviz in tarry's program.
//
// Only gorgonia imports it, to draw a graph of operations in the language DOT, which tarry never
// asks for: Node.ToDot and ExprGraph.ToDot. The whole package has a parser whose tables are filled
// when a program starts, 0.25 MB of a stripped library. Here a graph keeps nothing.
package gographviz

// Escape is a graph.
type Escape struct{}

// NewEscape gives a graph.
func NewEscape() *Escape { return &Escape{} }

// String is the text of every graph, a comment in DOT.
func (*Escape) String() string {
	return "// drawing in DOT is not linked (tools/stubs/gographviz)"
}

// SetName does nothing.
func (*Escape) SetName(string) error { return nil }

// SetDir does nothing.
func (*Escape) SetDir(bool) error { return nil }

// AddAttr does nothing.
func (*Escape) AddAttr(_, _, _ string) error { return nil }

// AddNode does nothing.
func (*Escape) AddNode(_, _ string, _ map[string]string) error { return nil }

// AddSubGraph does nothing.
func (*Escape) AddSubGraph(_, _ string, _ map[string]string) error { return nil }

// AddEdge does nothing.
func (*Escape) AddEdge(_, _ string, _ bool, _ map[string]string) error { return nil }

// AddPortEdge does nothing.
func (*Escape) AddPortEdge(_, _, _, _ string, _ bool, _ map[string]string) error { return nil }

// IsSubGraph is false: no graph has a part.
func (*Escape) IsSubGraph(string) bool { return false }
