// Package release states which version of tarry this is.
package release

// Version is the CHANGELOG's: the newest one there, or, between releases, the next one with
// "-dev".
const Version = "0.6.0-dev"
