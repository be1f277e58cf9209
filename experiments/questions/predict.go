package questions

import (
	"fmt"
	"strings"

	"tarry/sim/param"
)

// predict gives what was expected: of the question, then of each sweep that states it, a paragraph
// each that begins with the sweep's name. A prediction stands beside the sweep that can refute it.
func (f *file) predict(set *param.Set) (string, error) {
	var out []string
	if whole := set.Text("predict", ""); whole != "" {
		out = append(out, whole)
	}
	list, _ := f.tree["sweeps"].([]any) // specs reports what is not a list
	for i, one := range list {
		own, _ := one.(map[string]any)
		given, there := own["predict"]
		if !there {
			continue
		}
		text, ok := given.(string)
		if !ok || strings.TrimSpace(text) == "" {
			path := fmt.Sprintf("sweeps[%d].predict", i)
			return "", fault{f.at[path], path + " is not a text, expected what the sweep will show"}
		}
		out = append(out, fmt.Sprintf("%v: %s", own["name"], strings.TrimSpace(text)))
	}
	return strings.Join(out, "\n"), nil
}
