// Package release says which version of tarry this is.
package release

// Version is that of the CHANGELOG: the newest one there, or, between releases, the next one with
// "-dev".
const Version = "0.6.0-dev"
