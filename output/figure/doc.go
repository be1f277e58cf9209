// Package figure draws rows: a picture and the data behind it.
//
//	rows -> CDF, Bars, Lines, Heat -> Figure -> Save: name.png, .svg, .pdf, .csv
//	interval rows -> Timeline: Chrome trace JSON, which Perfetto opens
//
// Pictures are made for one column of a two-column paper (3.4 inches, 7 to 8 points),
// in the colours of Okabe and Ito (2008), which colour-blind readers distinguish; lines
// differ in their dashes too. The legend has a strip of its own above the plot, so that
// it never hides data. The CSV holds exactly what is drawn. The same rows give the same
// bytes in every format.
package figure
