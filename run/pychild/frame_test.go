package pychild

import (
	"bytes"
	"strings"
	"testing"
)

// What is longer than the end that is kept loses its beginning, by lines.
func TestTail(t *testing.T) {
	s := &tail{}
	for range 2000 {
		if _, err := s.Write([]byte("line\n")); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.String(); got != strings.TrimRight(strings.Repeat("line\n", tailLines), "\n") {
		t.Errorf("%q", got)
	}
}

func FuzzReadFrame(f *testing.F) {
	f.Add([]byte("a\x08\x00\x00\x0012345678"))
	f.Add([]byte("a\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, body, err := ReadFrame(bytes.NewReader(data), nil)
		if err == nil && len(body)+headBytes > len(data) {
			t.Errorf("%d bytes of %d", len(body), len(data))
		}
	})
}
