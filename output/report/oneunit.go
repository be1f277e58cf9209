package report

import "slices"

// oneUnit gives the tables about jobs the unit of the first, so that a difference is read beside
// the means that it is of.
func oneUnit(tables []table) {
	longest := num(0)
	for _, t := range tables {
		if t.ID == "means" {
			longest = t.longest()
		}
	}
	for i := range tables {
		if slices.Contains([]string{"means", "differences", "measures", "tenants"}, tables[i].ID) {
			tables[i].Longest = longest
		}
	}
}

// longest is the largest number of the first column of times; 0 without one.
func (t *table) longest() num {
	at := slices.IndexFunc(t.Columns, func(c column) bool { return c.Unit == "s" })
	most := num(0)
	for _, row := range t.Rows {
		if at >= 0 && at < len(row) && row[at].V != nil {
			most = max(most, *row[at].V)
		}
	}
	return most
}
