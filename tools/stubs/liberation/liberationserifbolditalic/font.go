// Package liberationserifbolditalic stands in for codeberg.org/go-fonts/liberation/liberationserifbolditalic in tarry's program.
package liberationserifbolditalic

import "github.com/go-fonts/liberation/liberationsansregular"

// TTF is Liberation Sans Regular, the font of tarry's pictures.
var TTF = liberationsansregular.TTF
