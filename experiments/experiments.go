// Package experiments is the catalogue of questions.
//
// Reading guide. questions has a file for each question: what is asked, what was expected, how to
// read the answer, the cells and the figures. A folder with a question's name has in Go what its file
// cannot say. A new question is a file and a line in All.
package experiments

import (
	"tarry/experiments/elastic"
	"tarry/experiments/goodput"
	"tarry/experiments/heterogeneity"
	"tarry/experiments/logs"
	"tarry/experiments/order"
	"tarry/experiments/picked"
	"tarry/experiments/placement"
	"tarry/experiments/predictors"
	"tarry/experiments/questions"
	"tarry/experiments/regimes"
	"tarry/experiments/results"
	"tarry/experiments/sharing"
	"tarry/experiments/sweep"
	"tarry/experiments/tenants"
)

// All lists the questions that tarry ships.
func All() Catalogue {
	return Catalogue{
		questions.Shipped("paper"),
		questions.Shipped("tails"),
		questions.Shipped("congestion"),
		questions.Shipped("timers"),
		questions.Shipped("tuner"),
		questions.Shipped("ablation"),
		questions.Shipped("clustersize"),
		questions.Shipped("load"),
		questions.Shipped("speedmodel"),
		questions.Shipped("scale"),
		questions.Shipped("placement", placement.Answer),
		questions.Shipped("learning"),
		questions.Shipped("learned"),
		questions.Shipped("regimes", regimes.Answer),
		questions.Shipped("order", order.Answer),
		questions.Shipped("results", results.Answer),
		questions.Shipped("agentablation"),
		questions.Shipped("picked", picked.Answer),
		questions.Shipped("transfer"),
		questions.Shipped("predictors", predictors.Answer),
		questions.Shipped("logs", logs.Answer),
		questions.Shipped("heterogeneity", heterogeneity.Answer),
		questions.Shipped("elastic", elastic.Answer),
		questions.Shipped("goodput", goodput.Answer),
		questions.Shipped("sharing", sharing.Answer),
		questions.Shipped("tenants", tenants.Answer),
	}
}

// Catalogue lists questions in the order in which they are shown.
type Catalogue = sweep.Questions
