package queuetest

import (
	"time"

	"github.com/poscrape/poscrape/tasks"
)

func complete() tasks.Decision {
	return tasks.Decision{
		To: tasks.StateCompleted, Outcome: tasks.OutcomeComplete,
		Result: &tasks.Result{
			Outcome: tasks.OutcomeComplete, Executor: tasks.ExecutorRender,
			Fields: map[string]tasks.Field{"total": {Raw: "5.099,00", Value: "5099.00", Type: "amount"}},
			Attachments: []tasks.Attachment{{
				Name: "a.pdf", Path: "orders/PO1/a.pdf", Size: 7, State: tasks.AttachmentDone, Source: "https://portal.example/1",
			}},
		},
	}
}

func partial() tasks.Decision {
	f := tasks.Retry(tasks.ClassAttachment, "b.pdf could not be had")
	return tasks.Decision{
		To: tasks.StateCompleted, Outcome: tasks.OutcomePartial, Failure: f,
		Result: &tasks.Result{Outcome: tasks.OutcomePartial, Executor: tasks.ExecutorRender, Missing: f},
	}
}

func failed(o tasks.Outcome) tasks.Decision {
	return tasks.Decision{
		To: tasks.StateFailed, Outcome: o,
		Failure: tasks.Permanent(o, tasks.ClassNotFound, "the portal has no such order"),
	}
}

func retryAt(due time.Time) tasks.Decision {
	return tasks.Decision{
		To: tasks.StatePending, Outcome: tasks.OutcomeTimeout, NotBefore: due,
		Failure: tasks.Retry(tasks.ClassTimeout, "the page did not answer"),
	}
}

func released() tasks.Decision {
	return tasks.Decision{
		To: tasks.StatePending, Outcome: tasks.OutcomeInterrupted, Released: true,
		Failure: tasks.Release(tasks.ClassReleased, "the run was stopped"),
	}
}

func lost() tasks.Decision {
	d := released()
	d.Lost = true
	d.Failure = tasks.Release(tasks.ClassBrowserLost, "the browser was killed")
	return d
}
