package hide

import (
	"slices"
	"testing"

	"tarry/env/layout"
	"tarry/sim/param"
)

func TestPlaces(t *testing.T) {
	rows := []layout.Segment{{Name: "cluster", Features: layout.Features("a  1\nb  2"), Items: 1},
		{Name: "job", Features: layout.Features("a  1\nc  2\nd  3"), Items: 2}}
	groups := []Group{{"first", Of("cluster", "a")}, {"all", slices.Concat(Of("cluster", "b"), Of("job", "a d"))},
		{"mid", Of("job", "c")}}
	for _, c := range []struct {
		names []string
		want  []int
	}{{nil, nil}, {[]string{"first"}, []int{0}}, {[]string{"mid", "first"}, []int{0, 3, 6}},
		{[]string{"all"}, []int{1, 2, 4, 5, 7}}} {
		got := Places(rows, groups, c.names)
		if !slices.Equal(got, c.want) {
			t.Errorf("%v hides %v, expected %v", c.names, got, c.want)
		}
		obs := slices.Repeat([]float64{1}, 8)
		Blank(obs, got)
		for i, v := range obs {
			if (v == 0) != slices.Contains(c.want, i) {
				t.Errorf("%v: number %d is %v", c.names, i, v)
			}
		}
	}
}

func TestRead(t *testing.T) {
	groups := []Group{{Name: "queue"}, {Name: "work"}}
	for in, want := range map[string]string{
		"":                "",
		"hide=work":       "",
		"hide=work+queue": "",
		"hide=":           `env: hide names the group "", expected some of queue, work, joined by +`,
		"hide=work+work":  "env: hide names the group work twice, expected once",
		"hide=wrok,x=1": "env: hide names the group \"wrok\", expected some of queue, work, joined by +; did " +
			"you mean \"work\"?\nenv: unknown key \"x\", expected one of hide",
		"hide=work+a1b2+c3d4": "env: hide names the group \"a1b2\", expected some of queue, work, joined by +\nhide " +
			"names the group \"c3d4\", expected some of queue, work, joined by +",
	} {
		s := param.Parse("env", in)
		got := Read(s, groups)
		if err := s.Err(); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%q gives %v, expected %s", in, err, want)
		}
		if in == "hide=work+queue" && !slices.Equal(got, []string{"work", "queue"}) || in == "" && got != nil {
			t.Errorf("%q is read as %q", in, got)
		}
	}
}
