package cluster

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarry/internal/param"
)

// Rows is a field of an observation: so many rows of the same features.
type Rows struct {
	Field    string
	Features []string
	Rows     int
}

// Group is features that can be hidden together, each as FIELD.FEATURE. An environment's groups share none and
// leave none out.
type Group struct {
	Name     string
	Features []string
}

// ReadHide reads the option hide, GROUP+GROUP+..., of an environment with these groups; nil = nothing is hidden.
func ReadHide(s *param.Set, groups []Group) []string {
	text := s.Text("hide", "")
	if text == "" && !s.Has("hide") {
		return nil
	}
	hide := strings.Split(text, "+")
	if err := CheckHide(groups, hide); err != nil {
		s.Fault("%v", err)
	}
	return hide
}

// CheckHide tells of names that are no group, and of groups that are named twice.
func CheckHide(groups []Group, hide []string) error {
	var errs []error
	var names []string
	for _, g := range groups {
		names = append(names, g.Name)
	}
	for i, h := range hide {
		switch {
		case !slices.Contains(names, h):
			errs = append(errs, fmt.Errorf("hide names the group %q, expected some of %s, joined by +%s", h, strings.Join(names, ", "), param.Hint(h, names)))
		case slices.Contains(hide[:i], h):
			errs = append(errs, fmt.Errorf("hide names the group %s twice, expected once", h))
		}
	}
	return errors.Join(errs...)
}

// Hidden lists the places in an observation that the groups named in hide have, ascending.
func Hidden(rows []Rows, groups []Group, hide []string) []int {
	gone := map[string]bool{}
	for _, g := range groups {
		if slices.Contains(hide, g.Name) {
			for _, f := range g.Features {
				gone[f] = true
			}
		}
	}
	var out []int
	at := 0
	for _, r := range rows {
		for range r.Rows {
			for _, f := range r.Features {
				if gone[r.Field+"."+f] {
					out = append(out, at)
				}
				at++
			}
		}
	}
	return out
}

// Blank holds the hidden places of an observation at 0.
func Blank(obs []float64, hidden []int) {
	for _, i := range hidden {
		obs[i] = 0
	}
}

// Of names features of a field, "a b c", as a Group does.
func Of(field, features string) []string {
	out := strings.Fields(features)
	for i, f := range out {
		out[i] = field + "." + f
	}
	return out
}
