// Package drf is dominant resource fairness for jobs: whenever there is room, the next job is one
// of the tenant with the least weighted dominant share. A. Ghodsi et al., "Dominant Resource
// Fairness: Fair Allocation of Multiple Resource Types", NSDI 2011; A. A. Bhattacharya et al.,
// "Hierarchical Scheduling for Diverse Datacenter Workloads", SoCC 2013 (H-DRF).
//
//  1. The dominant share of a tenant is the largest part that its running jobs have of the cluster's GPUs, CPU or memory. A resource that machines
//     do not state does not count.
//  2. Virtual clusters are the children of the root, their users stand below them; weights are the
//     run's tenants', 1 by default. With by=vc or by=user there is one level.
//  3. While a job that waits can be placed, the next is found from the root on: the child with the least dominant share over its weight among those
//     below which such a job waits. Of its user's jobs the first to arrive that fits starts.
//     With misfits=hold the first job to arrive of the user that is next is tried, and while it does not fit nothing starts.
//  4. tree states what a virtual cluster counts as having: hdrf, the rule of H-DRF (package dominant); rescaled, that without its rule for blocked
//     tenants; naive, what its users have. With one resource naive is right and the others differ from it by what users lie apart.
//  5. preempt=true: a job that has waited wait_s stops the newest running jobs of the tenants furthest above it, as long as these stay at or above
//     it with their job gone and the other one running. Tenants are compared where their branches meet, by what they have.
//
// # What is theirs and what is ours
//
// The papers have tasks: a tenant's next task fits or does not. Here a job is a gang, so a tenant's
// share moves in steps, and jobs that do not fit are passed over, its own and others': wide ones
// may wait long, as with fifo-fit; misfits=hold keeps to the order at the price of idle GPUs. Of
// H-DRF we have not the paper's text: its rule and its examples are as the design of Volcano's
// hierarchical DRF gives them. Ours: a tenant is blocked if no job of it can be placed, not if a
// resource that it needs is used up; children without any share do not count for the least one;
// weights divide shares at every node; users are known from their first job on; ties go to the
// tenant that came first. Ours is all of step 5 but its idea, which is from the schedulers of YARN,
// whose timeout of 15 s is the default; while checkpoints are written nothing else starts, and then
// the job that preempted is first.
//
// Cost: a start costs the tenants and what each of them has of different demands waiting; an event
// without free GPUs its own jobs. With preempt=true an event also costs the tenants, and an attempt
// the running jobs.
//
// Reading guide: policy.go follows events and starts jobs, tenants.go has the lists of a tenant,
// preempt.go step 5.
package drf

import "tarry/sim/plan/places"

// Params describes the settings for the catalogue.
const Params = places.Params + `
by       tree: virtual clusters, users below them | vc | user: one level
tree     hdrf | rescaled | naive: what a virtual cluster counts as having
misfits  pass: jobs that do not fit are passed over | hold: the first job of the tenant that is next waits, and all others
preempt  true: jobs that have waited wait_s stop jobs of tenants above their share
wait_s   s, for preempt=true`
