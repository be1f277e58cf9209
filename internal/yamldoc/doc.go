// Package yamldoc reads untrusted YAML. It is the one door through which
// YAML comes in.
//
// A short text can stand for endless values: an alias that stands inside what it names, or ten
// aliases of ten aliases. Parse resolves all aliases and refuses what is beyond a bound, so a walk
// through the nodes that it gives meets no alias, no cycle, and no more than MaxValues values,
// MaxDepth deep.
//
// Reading guide: yamldoc.go has the bounds and Parse; resolve.go follows the aliases and counts.
package yamldoc
