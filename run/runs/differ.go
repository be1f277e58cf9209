package runs

import (
	"slices"
	"strings"
)

// Differing lists the settings in which runs differ, among runs that have settings, and the settings
// that all share, both in order; the policies are left out, for What has them.
func Differing(all []Run) (differ, common []string) {
	seen := map[string]int{}
	values := map[string]map[string]bool{}
	n := 0
	for _, r := range all {
		if r.Settings == nil {
			continue
		}
		n++
		for k, v := range r.Settings {
			if k == "policies" {
				continue
			}
			seen[k]++
			if values[k] == nil {
				values[k] = map[string]bool{}
			}
			values[k][v] = true
		}
	}
	for k := range seen {
		if seen[k] < n || len(values[k]) > 1 {
			differ = append(differ, k)
		} else {
			common = append(common, k)
		}
	}
	slices.Sort(differ)
	slices.Sort(common)
	return differ, common
}

// Setting is the value of a setting without the marks of a JSON string; "" = it has none.
func (r *Run) Setting(key string) string {
	v := r.Settings[key]
	if len(v) > 1 && v[0] == '"' && !strings.Contains(v, `\`) {
		return v[1 : len(v)-1]
	}
	return v
}

// Matches reports whether a run has a value: of its kind, of one of its policies ("policy", by its
// full name or without options), or of a setting.
func (r *Run) Matches(key, value string) bool {
	switch key {
	case "kind":
		return r.Kind == value
	case "policy", "agent":
		return slices.ContainsFunc(append(r.Headline.Policies, strings.Split(r.What, ", ")...), func(p string) bool {
			name, _, _ := strings.Cut(p, ":")
			return p == value || name == value
		})
	}
	return r.Settings[key] != "" && r.Setting(key) == value
}
