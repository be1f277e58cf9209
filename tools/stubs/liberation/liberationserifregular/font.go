// Package liberationserifregular stands in for codeberg.org/go-fonts/liberation/liberationserifregular in tarry's program.
package liberationserifregular

import "github.com/go-fonts/liberation/liberationsansregular"

// TTF is Liberation Sans Regular, the font of tarry's pictures.
var TTF = liberationsansregular.TTF
