// Package liberationserifitalic stands in for codeberg.org/go-fonts/liberation/liberationserifitalic in tarry's program.
package liberationserifitalic

import "github.com/go-fonts/liberation/liberationsansregular"

// TTF is Liberation Sans Regular, the font of tarry's pictures.
var TTF = liberationsansregular.TTF
