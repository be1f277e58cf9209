package param

import "testing"

// Settings get the default of the code behind the last line of their text, unless it is empty.
func TestWithDefaults(t *testing.T) {
	s := Parse("x", "")
	s.Int("count", 3, 0, 9)
	s.Float("rate", 0.5, 0, 1)
	s.Enum("law", "empirical", "lognormal")
	s.Text("file", "")
	help := "count  how many\nrate   how fast,\n       in all\nlaw    which (of two)\nfile   f(x) (none)\nother  " +
		"is not read"
	want := "count  how many (3)\nrate   how fast,\n       in all (0.5)\nlaw    which (of two) (empirical)\nfile   " +
		"f(x) (none)\nother  is not read"
	if got := WithDefaults(help, s.Settings()); got != want {
		t.Errorf("got\n%s\nexpected\n%s", got, want)
	}
	if got := WithDefaults("", s.Settings()); got != "" {
		t.Errorf("of no text: %q", got)
	}
}
