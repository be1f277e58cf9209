package pychild

import (
	"io"
	"strings"
	"sync"
)

// tail hands on what is written and keeps the end of it.
type tail struct {
	mu   sync.Mutex
	to   io.Writer // may be nil
	kept []byte
}

const (
	tailBytes = 4096
	tailLines = 12
)

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	if n := len(t.kept) - tailBytes; n > 0 {
		t.kept = append(t.kept[:0], t.kept[n:]...)
	}
	if t.to != nil {
		_, _ = t.to.Write(b) // a missing reader is no reason to stop
	}
	return len(b), nil
}

// String is the last lines.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return last(string(t.kept))
}

// last gives the last lines of a text.
func last(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-tailLines):], "\n")
}
