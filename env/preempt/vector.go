package preempt

import "math"

// The places of the numbers that a vector reads: from the front of the observation, of the blocked
// job and of a candidate.
const (
	atDemand    = 8 // of the cluster
	atPreempted = 6 // of a job
	atLacks     = blockedFeatures
	atRankOf    = blockedFeatures + 2 // the blocked job's
	atPresent   = 8
	atRatio     = 9
	atMachine   = 12
	atUnsaved   = candidateFeatures
	atRisk      = candidateFeatures + 1
	atUntil     = candidateFeatures + 2
	atChosen    = candidateFeatures + 5
	atLeft      = candidateFeatures + 7
	atRank      = candidateFeatures + 8
	atSpread    = candidateFeatures + 9
)

// terms are the numbers of a candidate that are weighed; see doc.go.
type terms struct {
	use float64 // its GPUs over the GPUs that the blocked job asks for
	// later is by how much its rank is above the blocked job's, as a difference of logarithms.
	later float64
	score [numScore]float64
	gate  [numGate]float64
	wait  [numWait]float64
}

const numScore, numGate, numWait = 10, 7, 3

// scoreNames, gateNames and waitNames name the terms.
func scoreNames() []string {
	return []string{"score_lost", "score_unsaved", "score_at_risk", "score_until", "score_gpus", "score_left",
		"score_later", "score_spread", "score_machine", "score_preempted"}
}

func gateNames() []string {
	return []string{"gate_unsaved", "gate_at_risk", "gate_until", "gate_left", "gate_spread", "gate_preempted",
		"gate_demand"}
}

func waitNames() []string { return []string{"wait_unsaved", "wait_at_risk", "wait_until"} }

// leastLost is what is added to lost leases, so that their logarithm is finite.
const leastLost = 1e-3

// near is the difference below which two numbers that went through an observation are equal.
const near = 1e-9

// unsquash is the number of which x/(1+x) is y, finite for y = 1 too.
func unsquash(y float64) float64 { return y / max(1e-12, 1-y) }

// lnRank is the logarithm of a rank in leases.
func lnRank(y float64) float64 { return math.Log(max(1e-12, unsquash(y))) }

// read reads the row of a candidate that is present.
func (t *terms) read(obs, blocked, row []float64) {
	lacks := blocked[atLacks]
	t.use = unsquash(row[atRatio])
	t.later = lnRank(row[atRank]) - lnRank(blocked[atRankOf])
	used := min(t.use, lacks)
	t.score = [numScore]float64{math.Log(leastLost + unsquash(row[atRisk])/used), row[atUnsaved], row[atRisk],
		row[atUntil], used / lacks, row[atLeft], t.later, row[atSpread], row[atMachine], row[atPreempted]}
	t.gate = [numGate]float64{row[atUnsaved], row[atRisk], row[atUntil], row[atLeft], row[atSpread],
		row[atPreempted], obs[atDemand]}
	t.wait = [numWait]float64{row[atUnsaved], row[atRisk], row[atUntil]}
}

// weighed is the sum of products.
func weighed(weights, x []float64) float64 {
	sum := 0.0
	for i, w := range weights {
		sum += float64(w * x[i])
	}
	return sum
}

// act is the action under a vector: 0, a candidate, or a wait.
func (c *Config) act(obs, params []float64) int {
	rows := obs[len(obs)-2*c.Candidates*candidateSets:]
	blocked := obs[len(obs)-len(rows)-blockedSets : len(obs)-len(rows)]
	score, params := params[:numScore], params[numScore:]
	margin, gate, params := params[0], params[1:1+numGate], params[1+numGate:]
	lacks, there, best, least, begun := blocked[atLacks], 0.0, -1, 0.0, false
	var t, first terms
	for i := range c.Candidates {
		row := rows[i*candidateSets : (i+1)*candidateSets]
		if row[atPresent] == 0 || row[atChosen] == 1 {
			begun = begun || row[atPresent] == 1
			continue
		}
		t.read(obs, blocked, row)
		if !(t.later > 0) || !(t.later > margin+weighed(gate, t.gate[:])) {
			continue
		}
		there += t.use
		if x := weighed(score, t.score[:]); best < 0 || x < least-near { // listed last in the order first
			best, least, first = i, x, t
		}
	}
	switch {
	case best < 0 || there < lacks-near:
		return 0
	case !begun && first.wait[numWait-1] < 1 && params[0]+weighed(params[1:], first.wait[:]) > 0:
		return 1 + c.Candidates + best
	}
	return 1 + best
}
