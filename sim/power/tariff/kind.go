package tariff

import (
	"slices"

	"tarry/sim/series"
	"tarry/sim/series/table"
)

// Kind is what a series states.
type Kind struct {
	// Key is the setting, Column what a file's column of values may be called beside value, Unit their
	// unit.
	Key, Column, Unit string
	// Low and High bound values.
	Low, High float64

	day *[24]float64 // by hour, relative to the mean
	def float64      // mean of the day
}

// Price is money per kWh in any currency; it may be below 0.
func Price() Kind {
	return Kind{Key: "kwh_price", Column: "price", Unit: "per kWh", Low: -1e9, High: 1e9, day: priceDay(), def: 0.1}
}

// Carbon is grams of CO2 per kWh.
func Carbon() Kind {
	return Kind{Key: "carbon", Column: "carbon", Unit: "g/kWh", High: 1e9, day: carbonDay(), def: 400}
}

// Cap is the most that a cluster should draw: watts, or up to 1 the part of its maximum.
func Cap() Kind { return Kind{Key: "power_cap", Column: "power_cap", Unit: "W", High: 1e12} }

// form is what a file of it has.
func (k *Kind) form() *table.Form {
	return &table.Form{Times: []string{"time_s", "hour", "time"}, Values: []string{"value", k.Column}, Low: k.Low,
		High: k.High}
}

// Forms reports how the setting is written.
func (k *Kind) Forms() string {
	const file = "FILE.csv[,every_s=86400,start=T,scale=1]"
	if k.day == nil {
		return "watts, a part (0..1) of the cluster's maximum, or " + file
	}
	return "a number, day[:mean=M,swing=1,start_h=0] (synthetic, ours), or " + file
}

// Watts gives a series of caps in watts: values up to 1 are parts of a cluster's maximum.
func Watts(s *series.Series, maxW float64) *series.Series {
	out := series.Series{Steps: slices.Clone(s.Steps), Every: s.Every}
	for i := range out.Steps {
		if v := &out.Steps[i].Value; *v <= 1 {
			*v *= maxW
		}
	}
	return &out
}
