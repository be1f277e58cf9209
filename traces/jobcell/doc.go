// Package jobcell reads jobs from the cells of a table, by one set of rules for every table: CSV,
// Parquet and the frames of Python.
//
// A front end gives the names of the columns to Match and the cells of each row, as Values, to
// Jobs.Row. The package columns has the schema: what columns there are, and their names.
//
//   - A whole number may be written as a float that is whole (4.0), and as text.
//   - An empty cell, NULL, NaN, NaT and the words that stand for them (tabular.IsUnknown) are
//     unknown.
//   - A name may be a number: 17 and 17.0 are the name "17".
//   - A column of times has a unit in its name (decimal seconds are exact to the microsecond, others
//     are rounded), or else seconds; a typed length of time is read by its own unit in any, and so is
//     text with units (tabular.ParseLength), such as 1-00:00:20.
//   - submit and deadline may be wall-clock times (tabular.ParseClock): then all of them are, and
//     the workload begins at the first submit. A whole number that is too large for seconds counts
//     milliseconds, microseconds or nanoseconds since 1970.
//   - A row without a column id has its number as id, from 0.
//   - Columns that are the row numbers of a data frame are not read (Header.Ignored), nor are unknown
//     ones (Header.Unread), unless their name is nearly a known one, which is an error.
package jobcell
