// Package liberationsansregular stands in for
// codeberg.org/go-fonts/liberation/liberationsansregular in tarry's program.
package liberationsansregular

import "github.com/go-fonts/liberation/liberationsansregular"

// TTF is Liberation Sans Regular, the font of tarry's pictures.
var TTF = liberationsansregular.TTF
