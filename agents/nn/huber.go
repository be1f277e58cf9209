package nn

import "fmt"

// Huber is the loss of Huber (1964) with its bend at 1, entry by entry of a vector with an entry
// per sample: x^2/2 near 0, |x|-1/2 further out, so that its slope is x clamped to [-1,1]. It takes
// two inputs of the name.
func (t *Tape) Huber(name string, x Node) Node {
	low, l := t.Vector(fmt.Sprint(name, "/low"))
	high, h := t.Vector(fmt.Sprint(name, "/high"))
	for i := range l {
		l[i], h[i] = -1, 1
	}
	c := t.Clamp(x, low, high)
	return t.Mul(c, t.Sub(x, t.Scale(c, 0.5)))
}
