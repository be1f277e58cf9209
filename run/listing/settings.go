package listing

import "tarry/sim/setting"

// Settings has an entry for each setting of a table, and for those inside of mappings.
func Settings(rows []setting.Row) []Entry {
	var out []Entry
	setting.Walk(rows, func(key string, r *setting.Row) {
		more := ""
		if r.Page != "" {
			more = "docs/" + r.Page
		}
		out = append(out, Entry{Name: key, Doc: docOf(r), More: more,
			Setting: &Columns{Flag: dashed(r.Flag), Unit: r.Unit, Range: r.Range(), Default: r.Default()}})
	})
	return out
}

// dashed is a flag as it is typed; "" = there is none.
func dashed(flag string) string {
	if flag == "" {
		return ""
	}
	return "--" + flag
}

// docOf is the meaning of a setting, with the list that has more.
func docOf(r *setting.Row) string {
	if r.See == "" {
		return r.Doc
	}
	return r.Doc + "; see tarry list " + r.See
}

// choiceEntries lists the names and keys of a setting's values.
func choiceEntries(r *setting.Row) []Entry {
	var out []Entry
	for _, c := range r.Choices() {
		out = append(out, Entry{Name: c.Name, Doc: c.Doc, More: c.Help()})
	}
	return out
}
