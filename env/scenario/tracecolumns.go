package scenario

import (
	"tarry/sim/param"
	"tarry/sim/setting"
	"tarry/traces/columns"
)

// columnsRow is the setting that maps the columns of a table of jobs. It is not named columns, as
// the flag of that name chooses what tarry compare and tarry eval print.
func (c *Scenario) columnsRow() setting.Row {
	return setting.Row{Key: columns.Option, Group: setting.Jobs, Page: "reference/job-columns.md",
		Flag: "trace-columns", To: &c.TraceColumns, Meta: "OWN=COLUMN,...", Read: c.readColumns, Set: c.setColumns,
		Doc: "columns of a table of jobs by other names", Empty: "by their names", See: "columns",
		Choices: columnChoices,
		Forms:   "OWN=COLUMN,..., such as gpus=num_gpu,submit=start, COLUMN=- leaves one out; or a mapping"}
}

// columnChoices are the columns that are mapped.
func columnChoices() (out []setting.Choice) {
	for _, f := range columns.Fields() {
		out = append(out, setting.Choice{Name: f.Name, Doc: f.Doc, Key: true})
	}
	return out
}

// setColumns reads the text of the flag.
func (c *Scenario) setColumns(text string) error {
	c.TraceColumns = text
	return columns.Check(text)
}

// readColumns reads a mapping, or its text.
func (c *Scenario) readColumns(s *param.Set) {
	const key = columns.Option
	if s.IsMapping(key) {
		in := s.Child(key)
		own := in.Keys()
		file := make([]string, len(own))
		for i, name := range own {
			file[i] = in.Text(name, "")
		}
		c.TraceColumns = columns.Join(own, file)
	} else {
		c.TraceColumns = s.Text(key, c.TraceColumns)
	}
	if err := columns.Check(c.TraceColumns); err != nil && s.Has(key) {
		s.FaultAt(key, "%w", err)
	}
}
