// Package liberationmonobold stands in for codeberg.org/go-fonts/liberation/liberationmonobold in
// tarry's program.
package liberationmonobold

import "github.com/go-fonts/liberation/liberationsansregular"

// TTF is Liberation Sans Regular, the font of tarry's pictures.
var TTF = liberationsansregular.TTF
