// Package experiments has what asks questions of many runs.
//
// Reading guide. questions has a file for each question: what is asked, what was expected, how to
// read the answer, the cells and the figures. A folder with a question's name has in Go what its
// file cannot express. sweep describes and runs cells, engine states where they run, digest lays
// out rows. catalogue/questions is the list; the tests here run all of them.
package experiments
