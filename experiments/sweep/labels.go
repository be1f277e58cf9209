package sweep

import (
	"maps"
	"slices"

	"tarry/sim/param"
)

// unlabel takes the labels of policies out of a spec that was read: cells, ids and tables have the
// names without them.
func (s *Spec) unlabel() {
	s.labels = map[string]string{}
	s.unlabelSettings(s.Base)
	for i := range s.Axes {
		a := &s.Axes[i]
		if slices.Contains(policyFields(), a.Name) {
			a.Values = s.bare(a.Values)
		}
		for _, c := range a.Cases {
			s.unlabelSettings(c.Set)
		}
	}
}

// policyFields are the settings that name policies which are measured.
func policyFields() []string { return []string{"policy", "policies"} }

// bare gives policies without their labels, which it keeps.
func (s *Spec) bare(specs []string) []string {
	bare, labels := param.Unlabelled(specs)
	maps.Copy(s.labels, labels)
	return bare
}

// unlabelSettings does so for the policies of settings, and for the baselines of an evaluation.
func (s *Spec) unlabelSettings(of Settings) {
	for _, key := range policyFields() {
		s.unlabelField(of, key)
	}
	if m, ok := of[evaluateField].(map[string]any); ok {
		s.unlabelField(m, baselineField)
	}
}

// unlabelField does so for one policy or a list. A field without a label stays as it is.
func (s *Spec) unlabelField(of map[string]any, key string) {
	switch v := of[key].(type) {
	case string:
		of[key] = s.bare([]string{v})[0]
	case []any:
		given := make([]string, 0, len(v))
		for _, one := range v {
			text, ok := one.(string)
			if !ok {
				return
			}
			given = append(given, text)
		}
		if key == baselineField { // a list in brackets was split at the commas of settings
			given = param.Rejoin(given)
		}
		bare := s.bare(given)
		if slices.Equal(bare, given) {
			return
		}
		out := make([]any, len(bare))
		for i, b := range bare {
			out[i] = b
		}
		of[key] = out
	}
}
