package intake

import "tarry/sim/account"

// Report is the account of one read.
type Report = account.Report

// Reason is one cause of dropped rows.
type Reason = account.Reason
