// Package trait declares what an environment may offer beside the contract of package env. A caller
// asks for it by interface:
//
//	if on, ok := env.Find[trait.Windowed](e); ok { ... }
//
// which looks through wrappers. An environment that offers nothing of this is trained and validated
// by seeds.
//
// Reading guide. window.go is for environments whose episodes take place in numbered windows, of
// which some are kept from training; item.go for environments that list items which last; placed.go
// for environments that write observations to memory of the caller's; policy.go for environments in
// which a known policy acts where the agent does not; scored.go for environments outside the
// simulator whose rules stand beside agents; search.go for environments of which a complete
// window can be simulated under one vector of parameters.
package trait
