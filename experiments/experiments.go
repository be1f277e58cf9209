// Package experiments is the catalogue of questions.
//
// Reading guide. Each folder is one question: doc.go says what is asked, what is expected and how
// to read the answer; grid.go spells the cells out; figures.go draws them from the rows and from
// nothing else. A new question is a folder and a line in All.
package experiments

import (
	"tarry/experiments/ablation"
	"tarry/experiments/agentablation"
	"tarry/experiments/clustersize"
	"tarry/experiments/congestion"
	"tarry/experiments/elastic"
	"tarry/experiments/goodput"
	"tarry/experiments/heterogeneity"
	"tarry/experiments/learned"
	"tarry/experiments/learning"
	"tarry/experiments/load"
	"tarry/experiments/logs"
	"tarry/experiments/order"
	"tarry/experiments/paper"
	"tarry/experiments/picked"
	"tarry/experiments/placement"
	"tarry/experiments/predictors"
	"tarry/experiments/regimes"
	"tarry/experiments/results"
	"tarry/experiments/scale"
	"tarry/experiments/sharing"
	"tarry/experiments/speedmodel"
	"tarry/experiments/sweep"
	"tarry/experiments/tails"
	"tarry/experiments/tenants"
	"tarry/experiments/timers"
	"tarry/experiments/transfer"
	"tarry/experiments/tuner"
)

// All lists the questions that tarry ships.
func All() Catalogue {
	return Catalogue{
		paper.Question(),
		tails.Question(),
		congestion.Question(),
		timers.Question(),
		tuner.Question(),
		ablation.Question(),
		clustersize.Question(),
		load.Question(),
		speedmodel.Question(),
		scale.Question(),
		placement.Question(),
		learning.Question(),
		learned.Question(),
		regimes.Question(),
		order.Question(),
		results.Question(),
		agentablation.Question(),
		picked.Question(),
		transfer.Question(),
		predictors.Question(),
		logs.Question(),
		heterogeneity.Question(),
		elastic.Question(),
		goodput.Question(),
		sharing.Question(),
		tenants.Question(),
	}
}

// Catalogue lists questions in the order in which they are shown.
type Catalogue = sweep.Questions
