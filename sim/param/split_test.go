package param

import (
	"slices"
	"strings"
	"testing"
)

func TestSplitKeepsWhatIsQuoted(t *testing.T) {
	for in, want := range map[string][]string{
		"":                     {""},
		"a=1,b=2":              {"a=1", "b=2"},
		`a="x:y,z=3",b=2`:      {`a="x:y,z=3"`, "b=2"},
		`a="never closed,b=2`:  {`a="never closed,b=2`},
		`trace=philly:p.csv,b`: {"trace=philly:p.csv", "b"},
	} {
		if got := Split(in); !slices.Equal(got, want) {
			t.Errorf("%q is split into %q, want %q", in, got, want)
		}
	}
	for _, v := range []string{"plain", "synth:demo,jobs=4", ""} {
		s := Parse("x", "a=1,v="+Quote(v))
		if got := s.Text("v", "?"); got != v || s.Int("a", 0, 0, 9) != 1 || s.Err() != nil {
			t.Errorf("%q is read as %q, %v", v, got, s.Err())
		}
	}
}

func TestOverride(t *testing.T) {
	for _, c := range [][3]string{
		{"", "a=1", "a=1"},
		{"part=train,x=1, part=train", "part=test", "x=1,part=test"},
		{`trace="a,b",x=1`, "x=2", `trace="a,b",x=2`},
		{`x=1,trace="a,x=b"`, "trace=c", "x=1,trace=c"},
	} {
		if got := Override(c[0], c[1]); got != c[2] {
			t.Errorf("%q with %q is %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

// TestRejoin: what a comma took from a spec comes back to it, and options of their own stay apart.
func TestRejoin(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "",
		"dally, fifo,,srtf":                      "dally|fifo|srtf",
		"dally-manual:t_rack=1, t_net=2,fifo":    "dally-manual:t_rack=1,t_net=2|fifo",
		"a:x=1,y=2,b:x=3,z=4":                    "a:x=1,y=2|b:x=3,z=4",
		"python:m.n:C,x=1, y=2,fifo,x=3":         "python:m.n:C,x=1,y=2|fifo|x=3",
		"fifo,python:m:C,dally:x=1":              "fifo|python:m:C|dally:x=1",
		"cluster=ethernet:2x4x8,load=1":          "cluster=ethernet:2x4x8|load=1",
		"fifo,x=1":                               "fifo|x=1",
		"fifo:,x=1":                              "fifo:|x=1",
		`dally:file="a,b",trace=synth:demo,fifo`: `dally:file="a,b",trace=synth:demo|fifo`,
	} {
		if got := strings.Join(Rejoin(Split(text)), "|"); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
