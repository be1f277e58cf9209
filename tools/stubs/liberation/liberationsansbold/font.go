// Package liberationsansbold stands in for codeberg.org/go-fonts/liberation/liberationsansbold in
// tarry's program.
package liberationsansbold

import "github.com/go-fonts/liberation/liberationsansregular"

// TTF is Liberation Sans Regular, the font of tarry's pictures.
var TTF = liberationsansregular.TTF
