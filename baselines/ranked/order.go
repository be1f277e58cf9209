package ranked

import "tarry/baselines/contest"

// Order is an order of jobs whose keys may change while a job waits.
type Order = contest.Ranker
