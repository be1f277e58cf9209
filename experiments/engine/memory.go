package engine

import (
	"context"
	"fmt"
	"sync"
)

// meter hands out memory. The rule: a cell starts when what it needs fits beside what the cells
// under way need. The need is an estimate from the cell's jobs and GPUs (sweep.Cost.Memory), times
// the largest ratio of measured to estimated memory among cells that have ended (1 at first, never
// less; measured only for cells in processes of their own). A cell that does not fit alone is not
// started. Cells start in order: a large one is not passed by.
type meter struct {
	limit int64
	turn  sync.Mutex // one cell waits at a time

	mu    sync.Mutex
	used  int64
	ratio float64
	freed chan struct{} // closed and replaced when memory comes free
}

func newMeter(limit int64) *meter { return &meter{limit: limit, ratio: 1, freed: make(chan struct{})} }

// take waits until there is room for a cell. free gives the room back, with what the cell was
// measured to take, 0 when it was not.
func (m *meter) take(ctx context.Context, need func() int64) (free func(measured int64), err error) {
	if m.limit <= 0 {
		return func(int64) {}, nil
	}
	estimate := need()
	m.turn.Lock()
	defer m.turn.Unlock()
	for {
		m.mu.Lock()
		n := int64(float64(estimate) * m.ratio)
		if n > m.limit {
			m.mu.Unlock()
			return nil, fmt.Errorf("it needs about %s and there are %s", sizeText(n), sizeText(m.limit))
		}
		if m.used+n <= m.limit {
			m.used += n
			m.mu.Unlock()
			return func(measured int64) { m.give(n, estimate, measured) }, nil
		}
		freed := m.freed
		m.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (m *meter) give(n, estimate, measured int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used -= n
	m.ratio = max(m.ratio, float64(measured)/float64(max(1, estimate)))
	close(m.freed)
	m.freed = make(chan struct{})
}

// sizeText writes a size for people.
func sizeText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d bytes", n)
}
