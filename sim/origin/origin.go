// Package origin states where the fields of a workload's jobs came from: a trace, or a stated rule
// that drew them.
package origin

// Origin states where one field of a workload's jobs came from, such as
// {"model", "drawn from stream \"models\": uniform over 6 names"}.
type Origin struct{ Field, Source string }

// Field is a set of job fields, one bit each.
type Field uint16

// The fields that a rule may have to draw.
const (
	Model Field = 1 << iota
	User
	VC
	Work
	GPUs
	Submit
	Deadline
	Group
	Request
	Range
)

// String lists the fields of the set, separated by '+'; "" when it is empty.
func (f Field) String() string {
	s := ""
	for i, n := range [...]string{"model", "user", "vc", "work", "gpus", "submit", "deadline", "group", "request",
		"range"} {
		if f&(1<<i) != 0 {
			if s != "" {
				s += "+"
			}
			s += n
		}
	}
	return s
}
