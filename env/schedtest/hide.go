package schedtest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"tarry/env"
	"tarry/env/hide"
	"tarry/env/layout"
)

// Hides holds an environment to what the option hide promises: every feature is in one group;
// hidden ones are 0; and the same actions give the same episode, but for what is hidden. act
// chooses the k-th action without a look at the observation. The package's doc.go must
// name every group and its features.
func Hides(t *testing.T, build func(options string) (env.Env, error), options string, groups []hide.Group,
	act func(k int, mask []bool, action []float64)) {
	t.Helper()
	var names []string
	for _, g := range groups {
		names = append(names, g.Name)
	}
	rows := segments(t, build, options)
	partition(t, rows, groups)
	documented(t, groups)
	whole := replay(t, build, options, act)
	if len(whole) < 10 {
		t.Fatalf("%d observations, expected ten or more", len(whole))
	}
	for _, option := range append(slices.Clone(names), strings.Join(names, "+"), names[1]+"+"+names[0]) {
		got, told := replay(t, build, options+",hide="+option, act), 0
		if len(got) != len(whole) {
			t.Errorf("hide=%s: %d observations, expected %d", option, len(got), len(whole))
			continue
		}
		gone := hide.Places(rows, groups, strings.Split(option, "+"))
		for k, w := range whole {
			if got[k].rest != w.rest {
				t.Fatalf("hide=%s: step %d gives %s, expected %s", option, k, got[k].rest, w.rest)
			}
			for i, v := range w.obs {
				if slices.Contains(gone, i) {
					if v != 0 {
						told++
					}
					v = 0
				}
				if got[k].obs[i] != v {
					t.Fatalf("hide=%s: step %d: number %d is %v, expected %v", option, k, i, got[k].obs[i], v)
				}
			}
		}
		if told == 0 {
			t.Errorf("hide=%s: nothing was hidden", option)
		}
		if strings.Count(option, "+") == len(names)-1 && len(gone) != len(whole[0].obs) {
			t.Errorf("all groups hide %d of %d numbers", len(gone), len(whole[0].obs))
		}
	}
	if _, err := build(options + ",hide=" + names[0] + "x+" + names[1] + "+" + names[1]); err == nil ||
		!strings.Contains(err.Error(), fmt.Sprintf("hide names the group %q, expected some of %s, joined by +; did "+
			"you mean %q?", names[0]+"x", strings.Join(names, ", "), names[0])) ||
		!strings.Contains(err.Error(), "hide names the group "+names[1]+" twice, expected once") {
		t.Errorf("an unknown group and one twice give %v", err)
	}
}

// moment is an observation and all else that a step gives.
type moment struct {
	obs  []float64
	rest string
}

// replay plays an episode by number.
func replay(t *testing.T, build func(options string) (env.Env, error), options string,
	act func(k int, mask []bool, action []float64)) []moment {
	t.Helper()
	e, err := build(options)
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(1)
	obs, info, err := e.Reset(&seed, "window=1")
	out := []moment{{slices.Clone(obs), fmt.Sprint(e.Spec().Observation, e.Spec().Action, e.Spec().Masked, info)}}
	action := make([]float64, e.Spec().Action.Len())
	for k, done := 0, false; err == nil && !done; k++ {
		act(k, info.Mask, action)
		var s env.Step
		if s, err = e.Step(action); err == nil {
			info, done = s.Info, s.Done()
			out = append(out, moment{slices.Clone(s.Obs), fmt.Sprint(s.Reward, s.Terminated, s.Truncated, s.Info)})
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// segments is what the observation is made of, by the environment's Spec.
func segments(t *testing.T, build func(options string) (env.Env, error), options string) []layout.Segment {
	t.Helper()
	e, err := build(options)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Spec().List(); err != nil || len(e.Spec().Layout.Segments) == 0 {
		t.Fatalf("layout %v, error %v", e.Spec().Layout, err)
	}
	return e.Spec().Layout.Segments
}

// partition reports which features are in no group, in two, or in a group alone.
func partition(t *testing.T, rows []layout.Segment, groups []hide.Group) {
	t.Helper()
	count := map[string]int{}
	for _, g := range groups {
		for _, f := range g.Features {
			count[f]++
		}
	}
	for _, r := range rows {
		for _, f := range r.Features {
			if n := count[r.Name+"."+f.Name]; n != 1 {
				t.Errorf("%s.%s is in %d groups, expected 1", r.Name, f.Name, n)
			}
			delete(count, r.Name+"."+f.Name)
		}
	}
	for f := range count {
		t.Errorf("a group has %s, which is no feature", f)
	}
}

// documented looks for the line of each group in the page of the package.
func documented(t *testing.T, groups []hide.Group) {
	t.Helper()
	page, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(page), "\n")
	for _, g := range groups {
		if !slices.ContainsFunc(lines, func(line string) bool {
			own, ok := strings.CutPrefix(line, "//\t"+g.Name+" ")
			for _, f := range g.Features {
				_, name, _ := strings.Cut(f, ".")
				ok = ok && strings.Contains(own, name)
			}
			return ok
		}) {
			t.Errorf("doc.go has no line with the group %s and its features %v", g.Name, g.Features)
		}
	}
}
