// Package liberationmonobolditalic stands in for
// codeberg.org/go-fonts/liberation/liberationmonobolditalic in tarry's program.
package liberationmonobolditalic

import "github.com/go-fonts/liberation/liberationsansregular"

// TTF is Liberation Sans Regular, the font of tarry's pictures.
var TTF = liberationsansregular.TTF
