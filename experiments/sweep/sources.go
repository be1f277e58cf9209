package sweep

import (
	"fmt"
	"strings"

	"tarry/sim/param"
)

// sources finds the policies among settings that are made of files, and the hashes of these.
func (sp *speller) sources(settings Settings) map[string]string {
	var out map[string]string
	note := func(spec string) {
		if !strings.Contains(spec, ":") {
			return
		}
		spec, _ = param.Labelled(spec)
		if sum := sp.from.Policies.Source(spec); sum != "" {
			if out == nil {
				out = map[string]string{}
			}
			out[spec] = sum
		}
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			note(v)
		case map[string]any:
			for _, one := range v {
				walk(one)
			}
		case []any:
			var texts []string
			for _, one := range v {
				if text, ok := one.(string); ok {
					texts = append(texts, text)
				} else {
					walk(one)
				}
			}
			for _, text := range param.Rejoin(texts) { // a list in brackets was split at the commas of settings
				note(text)
			}
		}
	}
	for _, v := range settings {
		walk(v)
	}
	return out
}

// changed names the first policy whose source is another one than in the folder; "" = there is none.
func (f *Folder) changed(cells []Cell) string {
	for i := range min(f.Len(), len(cells)) {
		was, err := f.Cell(i)
		if err != nil {
			return ""
		}
		for spec, sum := range cells[i].Sources {
			if old, there := was.Sources[spec]; there && old != sum {
				return fmt.Sprintf("; the source of policy %s changed (SHA-256 %.12s, now %.12s)", spec, old, sum)
			}
		}
	}
	return ""
}
