package schedenv

import (
	"cmp"
	"slices"
)

// Kept keeps what was made of the windows that were used last: a warm state, or what a reference
// did. The zero value keeps 4.
type Kept[T any] struct {
	most int
	of   []kept[T] // the latest last
}

// kept is what was made of a window.
type kept[T any] struct {
	part   Part
	number int
	made   T
}

// Get gives what was made of a window of a part, or has it made in place of what was used longest
// ago. An error of fresh is Get's, and nothing is kept then.
func (k *Kept[T]) Get(p Part, number int, fresh func() (T, error)) (T, error) {
	for i, w := range k.of {
		if w.part == p && w.number == number {
			copy(k.of[i:], k.of[i+1:])
			k.of[len(k.of)-1] = w
			return w.made, nil
		}
	}
	if n := len(k.of) - cmp.Or(k.most, 4); n >= 0 {
		k.of = slices.Delete(k.of, 0, n+1)
	}
	made, err := fresh()
	if err == nil {
		k.of = append(k.of, kept[T]{p, number, made})
	}
	return made, err
}

// Keep sets how many windows are kept. 0 = 4; less than 0 counts as 0.
func (k *Kept[T]) Keep(n int) { k.most = max(0, n) }

// Empty keeps as many windows and has none yet.
func (k *Kept[T]) Empty() Kept[T] { return Kept[T]{most: k.most} }

// Forget lets go of all windows.
func (k *Kept[T]) Forget() { k.of = nil }
