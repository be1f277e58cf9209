package pypolicy

// Described is a column as Python has it: its number is its place in the list.
type Described struct {
	Name  string `json:"name"`
	Doc   string `json:"doc"`
	Needs string `json:"needs"` // the permission that opens it, "" = none
	Real  bool   `json:"real"`
	Coded bool   `json:"coded"`
}

// Describe lists the columns of jobs.
func Describe() []Described {
	var out []Described
	for _, c := range Columns() {
		d := Described{c.Name, c.Doc, "", c.Real, c.Coded}
		if c.Needs != 0 {
			d.Needs = Opener(c.Needs)
		}
		out = append(out, d)
	}
	return out
}
