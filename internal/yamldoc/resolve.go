package yamldoc

import (
	"fmt"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// walk follows the values of a document, each as often as it is used.
type walk struct {
	open            map[*Node]bool // what we stand in
	alias           int            // line of the outermost alias that we came through, 0 = none
	values, written int
}

// resolve puts what aliases stand for in their place.
func resolve(root *Node) (*Node, *Error) {
	w := walk{open: map[*Node]bool{}}
	return w.node(root, 1, 0)
}

// node gives what stands for n, which is depth deep and has a path of so many bytes.
func (w *walk) node(n *Node, depth, path int) (*Node, *Error) {
	line := n.Line
	if w.alias > 0 {
		line = w.alias
	}
	if n.Kind == yaml.AliasNode {
		if w.alias == 0 {
			w.alias = line
			defer func() { w.alias = 0 }()
		}
		name := n.Value
		if n = n.Alias; w.open[n] {
			return nil, &Error{line, fmt.Sprintf("the alias *%s stands inside what it names, expected a value "+
				"that ends", name)}
		}
	}
	w.values++
	w.written += path + len(n.Value)
	switch {
	case w.values > MaxValues:
		return nil, &Error{line, fmt.Sprintf("more than %d values (what an alias stands for counts as often as it "+
			"is used), expected fewer", MaxValues)}
	case w.written > MaxWritten:
		return nil, &Error{line, fmt.Sprintf("values and their paths have more than %d bytes (what an alias stands "+
			"for counts as often as it is used), expected fewer", MaxWritten)}
	case n.Kind == Scalar:
		for _, r := range n.Value {
			if unicode.IsControl(r) && r != '\n' && r != '\t' {
				return nil, &Error{line, fmt.Sprintf("a text holds the control character %U, expected none", r)}
			}
		}
		return n, nil
	case n.Kind != List && n.Kind != Mapping:
		return nil, &Error{line, "no value, expected text, a list or key: value"}
	case depth > MaxDepth:
		return nil, &Error{line, fmt.Sprintf("values stand more than %d deep inside one another, expected fewer",
			MaxDepth)}
	}
	w.open[n] = true
	defer delete(w.open, n)
	const index = len("[0]")
	inside := path + index
	for i, c := range n.Content {
		v, err := w.node(c, depth+1, inside)
		if err != nil {
			return nil, err
		}
		n.Content[i] = v
		if n.Kind == Mapping && i%2 == 0 {
			if v.Kind != Scalar {
				return nil, &Error{max(w.alias, c.Line), "a key is a list or a mapping, expected text"}
			}
			inside = path + 1 + len(v.Value)
		} else if n.Kind == Mapping {
			inside = path + index
		}
	}
	return n, nil
}
