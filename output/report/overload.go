package report

import (
	"fmt"
	"strings"
)

// maxOverloads is the number of policies and settings that the note names.
const maxOverloads = 8

// overloaded names the policies under which the queue grows until the last arrival in more than
// half of the runs; "" = there are none.
func (g *groups) overloaded() string {
	var names []string
	more := 0
	for _, one := range g.all() {
		runs, of := 0, 0
		for _, u := range one.units {
			for _, r := range u.runs {
				if of++; r.row.OverloadGPUs > 0 {
					runs++
				}
			}
		}
		switch {
		case 2*runs <= of:
		case len(names) == maxOverloads:
			more++
		case of == 1:
			names = append(names, one.policy+where(one.setting))
		default:
			names = append(names, fmt.Sprintf("%s%s (%d of %d runs)", one.policy, where(one.setting), runs, of))
		}
	}
	if len(names) == 0 {
		return ""
	}
	text := "overloaded: the queue grows until the last arrival, and means depend on the length of the run: " +
		strings.Join(names, "; ")
	if more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}
