package account

import "slices"

// Names of the rules by which a reader repairs a file; traces/repair has the others.
const (
	// WrongRows leaves out rows that cannot be read.
	WrongRows = "wrong"
	// Copies leaves out rows that are equal to an earlier one in all fields.
	Copies = "duplicates"
	// Ids gives a job whose id is taken another one.
	Ids = "ids"
	// Order puts jobs in the order of their submits.
	Order = "order"
)

// Dropped is Change.After of a row that is left out.
const Dropped = "dropped"

// Change is one change to a row.
type Change struct {
	// Row is the line of the file, or the number of the row where it has none.
	Row int
	// ID names the job; "" where the row has none that can be read.
	ID string
	// Field is what is changed, Before what it was and After what it is, or Dropped.
	Field, Before, After string
	// Rule is the name of the rule, Why states what it found.
	Rule, Why string
}

// Repair asks a reader to mend what it can and keeps what it changed. A nil Repair asks nothing.
type Repair struct {
	// Rules are the names of the rules that apply.
	Rules []string
	// Changes are those made, in the order in which they were made.
	Changes []Change
	// Lines has where each kept job stands, by its id.
	Lines map[string]int
}

// On reports whether a rule applies.
func (r *Repair) On(rule string) bool { return r != nil && slices.Contains(r.Rules, rule) }

// Kept notes where a job that is kept stands.
func (r *Repair) Kept(id string, line int) {
	if r == nil {
		return
	}
	if r.Lines == nil {
		r.Lines = map[string]int{}
	}
	r.Lines[id] = line
}

// Add notes a change.
func (r *Repair) Add(c Change) { r.Changes = append(r.Changes, c) }
