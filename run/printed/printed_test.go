package printed

import (
	"strings"
	"testing"
)

func sample() *Grid {
	g := &Grid{}
	for _, row := range [][2]string{{"dally", "-"}, {"tiresias", "+12 [-3, +27]"}} {
		g.Add("policy", "policy", row[0])
		g.Add("jobs", "jobs", "300")
		g.Add("refused", "refused", "0")
		g.Add("jct_mean_s", "JCT mean", "7997")
		g.Add("jct_p99_s", "p99", "63664")
		g.Add("own", "own", "1")
		g.Add("jct_mean_diff_s", "JCT mean - first", row[1])
	}
	return g
}

// TestPrint: all columns without a bound; with one the least read go first, and are counted; what
// was asked for is printed whatever the width.
func TestPrint(t *testing.T) {
	for _, c := range []struct {
		shown       Shown
		want, lacks string
	}{
		{Shown{}, "policy  jobs  refused  JCT mean    p99  own  JCT mean - first", "no room"},
		{Shown{Width: 62}, "policy  jobs  JCT mean    p99  own  JCT mean - first", "refused  "},
		{Shown{Width: 52}, "no room for 2 more columns", "jobs  "},
		{Shown{Width: 10}, "policy  JCT mean  JCT mean - first", "p99  "},
		{Shown{Width: 10, Columns: []string{"jobs", "own"}}, "policy  jobs  own", "JCT"},
	} {
		var b strings.Builder
		if err := sample().Print(&b, c.shown); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), c.want) || strings.Contains(b.String(), c.lacks) {
			t.Errorf("%+v prints\n%sexpected %q and no %q", c.shown, b.String(), c.want, c.lacks)
		}
	}
}
