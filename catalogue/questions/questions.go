// Package questions lists the questions that tarry ships.
//
// Reading guide. A new question is a file of experiments/questions and a line in All; a folder of
// experiments with a question's name has in Go what its file cannot express.
package questions

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
func All() sweep.Questions {
	return sweep.Questions{
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
		questions.Shipped("evictions"),
		questions.Shipped("heterogeneity", heterogeneity.Answer),
		questions.Shipped("elastic", elastic.Answer),
		questions.Shipped("goodput", goodput.Answer),
		questions.Shipped("sharing", sharing.Answer),
		questions.Shipped("tenants", tenants.Answer),
		questions.Shipped("links"),
		questions.Shipped("interleaving"),
		questions.Shipped("energy"),
		questions.Shipped("allowance"),
		questions.Shipped("loans"),
		questions.Shipped("harvest"),
		questions.Shipped("rivals"),
		questions.Shipped("carryover"),
	}
}
