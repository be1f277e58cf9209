package listing

import (
	"fmt"
	"strings"

	"tarry/sim/setting"
)

const pageHead = `# Settings

<!-- generated: make settings -->

The settings of a run and of its scenario, made from the tables in env/scenario and run/config. ` +
	"`tarry list settings`" + ` prints the same, and
` + "`tarry list settings NAME`" + ` one of them. A setting is written in the same way in a YAML file, in JSON and in Python's keyword arguments; [configuration.md](../howto/configuration.md)
states which value counts where it is given twice. Environments take the scenario's settings as options, and settings of cuts without that prefix.
`

// Page is the reference of a table of settings, as a page of the documentation.
func Page(rows []setting.Row) string {
	var b strings.Builder
	b.WriteString(pageHead)
	section(&b, "A run and its scenario", "", rows)
	for i := range rows {
		if r := &rows[i]; r.Inside != nil {
			section(&b, "Inside of "+r.Key, r.Key+".", r.Inside)
		}
	}
	return b.String()
}

func section(b *strings.Builder, title, path string, rows []setting.Row) {
	fmt.Fprintf(b, "\n## %s\n\n| setting | flag | unit | default | values | meaning |\n|---|---|---|---|---|---|\n",
		title)
	for i := range rows {
		r := &rows[i]
		key := "`" + path + r.Key + "`"
		if r.Page != "" {
			key = "[" + key + "](../" + r.Page + ")"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", key, code(dashed(r.Flag)), r.Unit, code(r.Default()),
			cell(r.Range()), cell(docOf(r)))
	}
}

// code marks a text as one that is typed; "" stays.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(text, "|", `\|`) + "`"
}

// cell keeps the text of a cell from ending it, and from being read as markup.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "<", "&lt;", "[", `\[`, "]", `\]`).Replace(text)
}
