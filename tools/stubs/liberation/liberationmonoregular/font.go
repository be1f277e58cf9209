// Package liberationmonoregular stands in for
// codeberg.org/go-fonts/liberation/liberationmonoregular in tarry's program.
package liberationmonoregular

import "github.com/go-fonts/liberation/liberationsansregular"

// TTF is Liberation Sans Regular, the font of tarry's pictures.
var TTF = liberationsansregular.TTF
