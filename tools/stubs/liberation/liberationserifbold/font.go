// Package liberationserifbold stands in for codeberg.org/go-fonts/liberation/liberationserifbold in
// tarry's program.
package liberationserifbold

import "github.com/go-fonts/liberation/liberationserifregular"

// TTF is Liberation Serif Regular, with which gonum measures some of the texts of tarry's pictures.
var TTF = liberationserifregular.TTF
