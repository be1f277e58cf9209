package byname

import (
	"strings"
	"testing"
)

func TestFinder(t *testing.T) {
	found := map[string]int32{"bert": 1, "vgg19": 2}
	f := New("speeds.csv", "model", []string{"BERT", "VGG19"}, found)
	if v, err := f.Of("Bert", "a"); v != 1 || err != nil {
		t.Errorf("%d %v, expected 1", v, err)
	}
	for range 2 { // what is not there is remembered, too
		_, err := f.Of("vgg91", "b")
		if err == nil || !strings.HasPrefix(err.Error(), `speeds.csv: no model "vgg91" (job "b"), expected one of BERT, VGG19;`) ||
			!strings.HasSuffix(err.Error(), `"VGG19"?`) {
			t.Errorf("error %v", err)
		}
	}
	if err := f.StandIn("gpt"); err == nil || err.Error() != `speeds.csv: no model "gpt", expected one of BERT, VGG19` {
		t.Errorf("error %v", err)
	}
	g := New("speeds.csv", "model", []string{"BERT", "VGG19"}, found)
	if err := g.StandIn("VGG19"); err != nil {
		t.Fatal(err)
	}
	if v, err := g.Of("vgg91", "b"); v != 2 || err != nil {
		t.Errorf("%d %v, expected the 2 that stands in", v, err)
	}
	if n := testing.AllocsPerRun(100, func() { _, _ = g.Of("vgg91", "b") }); n != 0 {
		t.Errorf("%v allocations once warm, expected none", n)
	}
}
