package results

// Measure is one row of the table measures: one number about a trial that the other tables have no
// column for. The table is written only where it has rows, so that the files of all
// other runs stay as they are.
type Measure struct {
	Keys
	Name  string  `col:"name" unit:"text" doc:"what is measured, with its unit last; docs/reference/measures.md lists the measures of deadlines and tenants, the others are the policy's own"`
	Of    string  `col:"of" unit:"text" doc:"whose it is: a tenant, a job (deadline_s), or what the policy states" none:"empty: of all jobs"`
	Unit  string  `col:"unit" unit:"text" doc:"unit of the value"`
	Value float64 `col:"value" unit:"as unit" doc:"the number" none:"NaN: nothing to measure, such as the lateness where no job with a deadline finished"`
}

// Table names the table.
func (Measure) Table() string { return "measures" }
