// Package liberationsansbolditalic stands in for
// codeberg.org/go-fonts/liberation/liberationsansbolditalic in tarry's program.
package liberationsansbolditalic

import "github.com/go-fonts/liberation/liberationsansregular"

// TTF is Liberation Sans Regular, the font of tarry's pictures.
var TTF = liberationsansregular.TTF
