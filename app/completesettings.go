package app

import (
	"strings"

	"tarry/sim/setting"
)

// settingOfFlag is the setting of a flag; nil where it belongs to none.
func (from program) settingOfFlag(flag string) (found *setting.Row) {
	c := from.newConfig()
	setting.Walk(c.Settings(), func(_ string, r *setting.Row) {
		if r.Flag == flag {
			found = r
		}
	})
	return found
}

// isPath reports whether what is being written may be the path of a file.
func isPath(r *setting.Row, value string) bool {
	if r.Paths || r.Choices == nil {
		return r.Paths
	}
	name, _, colon := strings.Cut(value, ":")
	for _, k := range r.Choices() {
		if rest, ok := strings.CutPrefix(k.Form, name+":"); ok && colon &&
			(strings.HasPrefix(rest, "FILE") || strings.HasPrefix(rest, "DIR")) {
			return true
		}
	}
	return false
}

// settingValues lists the values of a setting, as far as they can be listed, and the keys of
// key=value,...
func settingValues(r *setting.Row, value string) []candidate {
	if r == nil {
		return nil
	}
	words := r.Words
	if words == nil {
		words = r.Names
	}
	out := plain(words...)
	if r.Choices == nil {
		var keys []candidate
		for _, in := range r.Inside {
			keys = append(keys, candidate{in.Key + "=", in.Doc})
		}
		return append(out, settingWords("", value, keys)...)
	}
	name, options, colon := strings.Cut(value, ":")
	var keys []candidate
	for _, k := range r.Choices() {
		switch {
		case k.Key:
			keys = append(keys, candidate{k.Name + "=", k.Doc})
		case !colon:
			out = append(out, candidate{k.Name, k.Doc})
		case k.Name == name:
			return settingWords(name+":", options, helpKeys(k.Help()))
		}
	}
	return append(out, settingWords("", value, keys)...)
}
