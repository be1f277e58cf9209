// Package liberationserifbolditalic stands in for
// codeberg.org/go-fonts/liberation/liberationserifbolditalic in tarry's program.
package liberationserifbolditalic

import "github.com/go-fonts/liberation/liberationserifregular"

// TTF is Liberation Serif Regular, with which gonum measures some of the texts of tarry's pictures.
var TTF = liberationserifregular.TTF
