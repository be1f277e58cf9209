// Package model makes environments of small models: decision problems outside the simulator that
// are a pure function of an instance and of actions, such as the simulator of another program.
//
// Reading guide. Model and Config (model.go) are what a problem gives; Env (env.go) plays episodes
// of it; window.go numbers its instances, of which parts are kept from training; follow.go has its
// rules, which demonstrate and stand beside agents in tarry eval; snapshot.go saves an episode as
// its actions; rows.go has the options that all share.
//
// An instance is drawn from a stream of its own, named by the part and its number, so that the
// parts are disjoint in what they draw and every rule and agent meets the same instances.
package model
