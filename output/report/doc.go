// Package report turns the folder of an experiment into one HTML page: what was asked, how far it
// is, tables with paired intervals, charts, learning curves and a timeline of the cluster.
//
//	folder -> Reader.Read -> Page -> Write: one file that needs nothing else
//	                              -> Handler: the same page, asked again by the browser
//
// Reading guide: kinds.go finds out what a folder is, folder.go lists the cells of a sweep, many.go
// reads a folder of several runs; stamp.go sees whether anything has changed, so that an open page
// costs nothing; load.go reads the tables of one cell; units.go groups trials by setting and
// policy; tables.go compares them in pairs; levels.go makes intervals over seeds and windows;
// charts.go, curves.go, tuning.go and timeline.go make what is drawn; page.go holds the words of
// the page and writes it; assets/ is the page itself, plain JavaScript on SVG and canvas.
//
// All statistics are computed here, the browser only draws. The page is bounded: what does not fit
// is left out, and the page notes it. The same folder gives the same bytes.
package report
