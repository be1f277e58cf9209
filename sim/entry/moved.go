package entry

import (
	"fmt"
	"slices"
	"strings"

	"tarry/sim/param"
)

// Moved states which settings of a policy another one has now, so that an old spelling gets an
// error with the new one.
type Moved struct {
	// To is the policy that has the settings.
	To string
	// Switch is the setting, KEY=VALUE, that chose the behaviour of To; To has no such key, and
	// with another value the policy is as it is without. "" = there was none.
	Switch string
	// Keys are the settings that To has under the same name.
	Keys []string
	// With are settings, KEY=VALUE, by which To is as the policy was; each is left out of the new
	// spelling where the old one has the key.
	With []string
}

// Switched gives an error for the setting of a policy, NAME:key=value,..., that chose another policy
// once (Moved.Switch), nil where there is none. It is for a caller that puts another name in place.
func (c Policies) Switched(spec string) error {
	name, text, _ := strings.Cut(spec, ":")
	for i := range c {
		if c[i].Name != strings.TrimSpace(name) {
			continue
		}
		for _, m := range c[i].Moved {
			m.Keys = nil
			if err := m.respell(c[i].Name, text); m.Switch != "" && err != nil {
				return err
			}
		}
	}
	return nil
}

// respell gives an error for settings of the policy name that have moved, nil if there are none.
func (m *Moved) respell(name, text string) error {
	key, value, _ := strings.Cut(m.Switch, "=")
	var kept []string
	old, off := "", ""
	for _, part := range param.Split(text) {
		k, v, _ := strings.Cut(part, "=")
		k, v = strings.TrimSpace(k), strings.TrimSpace(v)
		switch {
		case k == key && v != value:
			off = strings.TrimSpace(part)
			continue
		case k == key:
			old = m.Switch
			continue
		case slices.Contains(m.Keys, k) && old == "":
			old = k
		}
		kept = append(kept, strings.TrimSpace(part))
	}
	at := func(policy string) string {
		return strings.TrimSuffix(policy+":"+strings.Join(kept, ","), ":")
	}
	switch {
	case old != "":
		kept = m.with(kept)
		return fmt.Errorf("policy %s: %s has moved, use %s", name, old, at(m.To))
	case off != "":
		return fmt.Errorf("policy %s: there is no %s any more, use %s", name, off, at(name))
	}
	return nil
}

// with adds With to settings.
func (m *Moved) with(settings []string) []string {
	for _, w := range m.With {
		key, _, _ := strings.Cut(w, "=")
		if !slices.ContainsFunc(settings, func(s string) bool { return strings.HasPrefix(s, key+"=") }) {
			settings = append(settings, w)
		}
	}
	return settings
}
