package recorded

import (
	"slices"
	"testing"
)

// Places are written in the order in which they come first, each machine once, and read back.
func TestJoin(t *testing.T) {
	for _, c := range []struct {
		places []Place
		text   string
	}{
		{nil, ""},
		{[]Place{{"a", 0}, {"b", 0}}, "a,b"},
		{[]Place{{"a", 2}, {"b", 1}, {"a", 1}}, "a*3,b*1"},
		{[]Place{{"a", 2}, {"a", 0}}, "a"},
		{[]Place{{"a", 0}, {"a", 2}}, "a"},
		{[]Place{{"a*b", 4}}, "a*b*4"},
		{[]Place{{"a*", 0}}, "a*"},
	} {
		if got := Join(c.places); got != c.text {
			t.Errorf("%v gives %q, expected %q", c.places, got, c.text)
		}
		r := Run{Machines: c.text}
		if again := Join(r.Places()); again != c.text {
			t.Errorf("%q is read as %v", c.text, r.Places())
		}
	}
	want := []Place{{"a", 0}, {"b*0", 0}, {"c", 7}, {"*2", 0}}
	if got := Split(" a , b*0,,c *7,*2"); !slices.Equal(got, want) {
		t.Errorf("read %v, expected %v", got, want)
	}
}
