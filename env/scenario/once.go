package scenario

import "sync"

// once keeps what was made for a key, for all runs of a Setup. What it keeps does not change.
// Goroutines that ask for the same key wait for the first of them, others do not.
type once[T any] struct {
	mu   sync.Mutex
	made map[string]*made[T]
}

// made is what was made for one key.
type made[T any] struct {
	mu   sync.Mutex
	done bool
	of   T
}

// get gives what was made for a key, or makes it. What fails is not kept.
func (o *once[T]) get(key string, open func() (T, error)) (T, error) {
	o.mu.Lock()
	if o.made == nil {
		o.made = map[string]*made[T]{}
	}
	m := o.made[key]
	if m == nil {
		m = &made[T]{}
		o.made[key] = m
	}
	o.mu.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.done {
		return m.of, nil
	}
	v, err := open()
	if err == nil {
		m.of, m.done = v, true
	}
	return v, err
}
