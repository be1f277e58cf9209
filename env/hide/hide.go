// Package hide is the option hide=GROUP+GROUP of environments: features of an observation that are
// held at 0, so that an agent can be trained without them.
//
// Reading guide. An environment describes its observation by the segments of its env.Layout and by
// Groups; Read reads the option, Places finds what is hidden, once, Blank blanks it in each observation, and
// Mark states so in the layout. The observation keeps its shape.
package hide

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarry/env/layout"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// Group is features that can be hidden together, each as SEGMENT.FEATURE. An environment's groups
// share none and leave none out.
type Group struct {
	Name     string
	Features []string
}

// Row declares the option hide of an environment with these groups, of which to gets the names.
func Row(groups []Group, to *[]string) setting.Row {
	names := make([]string, len(groups))
	for i, g := range groups {
		names[i] = g.Name
	}
	return setting.Row{Key: "hide", Empty: "none", Read: func(s *param.Set) { *to = Read(s, groups) },
		Doc: "groups of features held at 0, joined by +: " + strings.Join(names, ", ")}
}

// Read reads the option hide, GROUP+GROUP+..., of an environment with these groups; nil = nothing
// is hidden.
func Read(s *param.Set, groups []Group) []string {
	text := s.Text("hide", "")
	if text == "" && !s.Has("hide") {
		return nil
	}
	names := strings.Split(text, "+")
	if err := Check(groups, names); err != nil {
		s.Fault("%v", err)
	}
	return names
}

// Check reports names that are no group, and groups that are named twice.
func Check(groups []Group, names []string) error {
	var errs []error
	var known []string
	for _, g := range groups {
		known = append(known, g.Name)
	}
	for i, h := range names {
		switch {
		case !slices.Contains(known, h):
			errs = append(errs, fmt.Errorf("hide names the group %q, expected some of %s, joined by +%s", h,
				strings.Join(known, ", "), param.Hint(h, known)))
		case slices.Contains(names[:i], h):
			errs = append(errs, fmt.Errorf("hide names the group %s twice, expected once", h))
		}
	}
	return errors.Join(errs...)
}

// Places lists the places in an observation that the groups of these names have, ascending.
func Places(segments []layout.Segment, groups []Group, names []string) []int {
	gone := map[string]bool{}
	for _, g := range groups {
		if slices.Contains(names, g.Name) {
			for _, f := range g.Features {
				gone[f] = true
			}
		}
	}
	var out []int
	at := 0
	for _, r := range segments {
		for range r.Items {
			for _, f := range r.Features {
				if gone[r.Name+"."+f.Name] {
					out = append(out, at)
				}
				at++
			}
		}
	}
	return out
}

// Mark states in the segments, which are the caller's own, that the features of these groups are 0.
func Mark(segments []layout.Segment, groups []Group, names []string) []layout.Segment {
	for i := range segments {
		s := &segments[i]
		for k := range s.Features {
			f := &s.Features[k]
			for _, g := range groups {
				if slices.Contains(names, g.Name) && slices.Contains(g.Features, s.Name+"."+f.Name) {
					f.Range, f.Doc = "0", f.Doc+"; hidden, held at 0"
				}
			}
		}
	}
	return segments
}

// Blank holds the hidden places of an observation at 0.
func Blank(obs []float64, hidden []int) {
	for _, i := range hidden {
		obs[i] = 0
	}
}

// Of names features of a segment, "a b c", as a Group does.
func Of(segment, features string) []string {
	out := strings.Fields(features)
	for i, f := range out {
		out[i] = segment + "." + f
	}
	return out
}
