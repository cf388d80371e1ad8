package session

import "github.com/poscrape/poscrape/report"

// Step is something to do next.
type Step = report.Step

// NextSteps returns what a person can do after a session has ended with so many orders open, as
// its report says, with the session folder as commands are to name it.
func NextSteps(end End, open int, folder string) []Step {
	return report.Situation{Folder: folder, Open: open, ByOutcome: end.ByOutcome, Reasons: end.Reasons, Lacking: end.Lacking, Warnings: len(end.Warnings), Logins: end.Logins, State: end.State, StateFile: end.StateFile,
		Sheet: end.Sheet, Reading: end.Reading, Again: end.Again, Recipe: end.Recipe, Workers: end.Workers}.Steps()
}
