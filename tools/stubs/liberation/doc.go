// Package liberation stands in for the twelve fonts that gonum's plots link, 4.4 MB, whichever are drawn.
//
// tarry draws with one of them, Liberation Sans Regular. An earlier release of the same fonts, under its older name, has the same
// file; here it takes the place of all twelve.
package liberation
