package policies

import (
	_ "embed"
	"strings"
)

// decidesText has a line for each scheduler, NAME: which decisions it makes.
//
//go:embed decides.txt
var decidesText string

// decides is the line of a scheduler; "" = it has none.
func decides(name string) string {
	_, line, _ := strings.Cut("\n"+decidesText, "\n"+name+": ")
	line, _, _ = strings.Cut(line, "\n")
	return line
}
