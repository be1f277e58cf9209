package param

import (
	"strings"
	"testing"
)

// A label is taken out of a policy; what is no label stays for the reader of settings to refuse.
func TestLabelled(t *testing.T) {
	for spec, want := range map[string][2]string{
		"dally":                                 {"dally", ""},
		"dally:t_rack=2":                        {"dally:t_rack=2", ""},
		"dally:label=Dally 2h,t_rack=2":         {"dally:t_rack=2", "Dally 2h"},
		"dally:t_rack=2, label = Dally 2h ":     {"dally:t_rack=2", "Dally 2h"},
		`dally:label="a, b",order="x,y"`:        {`dally:order="x,y"`, "a, b"},
		"fifo:label=FIFO":                       {"fifo", "FIFO"},
		"fifo:label=":                           {"fifo:label=", ""},
		"fifo:label=a,label=b":                  {"fifo:label=a,label=b", ""},
		"fifo:label=a\nb":                       {"fifo:label=a\nb", ""},
		"fifo:label=" + strings.Repeat("é", 41): {"fifo:label=" + strings.Repeat("é", 41), ""},
		"fifo:label=" + strings.Repeat("é", 40): {"fifo", strings.Repeat("é", 40)},
		"planned:base=dally:label=x":            {"planned:base=dally:label=x", ""},
	} {
		if bare, label := Labelled(spec); bare != want[0] || label != want[1] {
			t.Errorf("%q: %q and %q, expected %q", spec, bare, label, want)
		}
	}
	bare, labels := Unlabelled([]string{"a:label=A", "b"})
	if strings.Join(bare, " ") != "a b" || len(labels) != 1 || labels["a"] != "A" {
		t.Errorf("%v %v", bare, labels)
	}
	if bare, labels := Unlabelled(nil); bare != nil || labels != nil {
		t.Errorf("of nothing: %v %v", bare, labels)
	}
}
