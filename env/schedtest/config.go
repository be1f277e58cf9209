package schedtest

import (
	"testing"

	"tarry/sim/param"
)

// Config reads the configuration of an environment from text, key=value,..., or fails with its faults.
func Config[C any](t testing.TB, text string, read func(s *param.Set) C) C {
	t.Helper()
	s := param.Parse("test", text)
	c := read(s)
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return c
}
