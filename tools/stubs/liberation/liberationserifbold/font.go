// Package liberationserifbold stands in for codeberg.org/go-fonts/liberation/liberationserifbold in tarry's program.
package liberationserifbold

import "github.com/go-fonts/liberation/liberationsansregular"

// TTF is Liberation Sans Regular, the font of tarry's pictures.
var TTF = liberationsansregular.TTF
