// Package charge states what an agent is charged for energy, and keeps the account of a run.
//
// Reading guide: law.go has the settings, account.go an observer's book in steps of an environment.
package charge
