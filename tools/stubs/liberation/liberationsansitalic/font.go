// Package liberationsansitalic stands in for codeberg.org/go-fonts/liberation/liberationsansitalic
// in tarry's program.
package liberationsansitalic

import "github.com/go-fonts/liberation/liberationsansregular"

// TTF is Liberation Sans Regular, the font of tarry's pictures.
var TTF = liberationsansregular.TTF
