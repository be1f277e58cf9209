// Package figure draws rows: a picture and the data behind it.
//
//	rows -> CDF, Bars, Lines, Heat, Pareto -> Figure -> Save: name.png, .svg, .pdf, .csv
//	interval rows -> Timeline: Chrome trace JSON, which Perfetto opens
//
// Pictures are made for one column of a two-column paper (3.4 inches, 7 to 8 points),
// in the colours of Okabe and Ito (2008), which colour-blind readers distinguish; lines
// differ in their dashes too. Lines have their names at their ends where there is room. The
// legend has a strip of its own above the plot, so that it never hides data. What an axis has no
// place for is not dropped: a value of 0 on a logarithmic axis is a triangle at its edge, an
// interval that leaves the frame ends in an arrow, and of many lines the ninth and later ones are
// grey and counted in the note. The CSV holds exactly what is drawn. The same rows give the same
// bytes in every format.
package figure
