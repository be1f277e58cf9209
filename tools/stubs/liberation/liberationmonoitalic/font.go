// Package liberationmonoitalic stands in for codeberg.org/go-fonts/liberation/liberationmonoitalic
// in tarry's program.
package liberationmonoitalic

import "github.com/go-fonts/liberation/liberationsansregular"

// TTF is Liberation Sans Regular, the font of tarry's pictures.
var TTF = liberationsansregular.TTF
