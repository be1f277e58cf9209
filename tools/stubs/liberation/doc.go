// Package liberation stands in for the twelve fonts that gonum's plots link, 4.4 MB, whichever are
// drawn.
//
// tarry draws with Liberation Sans Regular, and gonum measures some texts with its default,
// Liberation Serif Regular. An earlier release of the same fonts, under its older name, has the
// same files; here the two take the place of all twelve.
package liberation
