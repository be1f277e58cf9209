package setting

// The groups of settings, as helps print them.
const (
	Jobs     = "jobs and windows"
	Machines = "machines and speeds"
	Tenants  = "tenants and deadlines"
	Failures = "failures"
	Times    = "grain of work and time"
	Power    = "power and prices"
	Services = "services and loans"
	Output   = "output"
)
