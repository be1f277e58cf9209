package scenario

import "sync"

// once keeps what speed models read from files, for all runs of a Setup. What it keeps does not
// change.
type once struct {
	mu   sync.Mutex
	made map[string]any
}

// get gives what was made for a key, or makes it. What fails is not kept.
func (o *once) get(key string, open func() (any, error)) (any, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if v, ok := o.made[key]; ok {
		return v, nil
	}
	v, err := open()
	if err == nil {
		o.made[key] = v
	}
	return v, err
}
