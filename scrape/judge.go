package scrape

import (
	"strings"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// judge computes a result's outcome from its document list, its required fields
// and the proof that the page was settled: the table in the contract.
func judge(r *Recipe, p *page, res *tasks.Result) {
	found, done, failed, skipped := res.Count()
	missing := missingFields(r, res)
	notReady := p.NotReady != ""
	switch {
	case found > 0 && done == 0 && failed > 0:
		res.Outcome = tasks.OutcomeFailed
		res.Missing = missingDocuments(res, "none of the %d listed documents could be had: %s", found)
	case failed > 0 || skipped > 0:
		res.Outcome = tasks.OutcomePartial
		res.Missing = missingDocuments(res, "%d of %d listed documents are missing: %s", failed+skipped, found)
	case len(missing) > 0:
		res.Outcome = tasks.OutcomePartial
		res.Missing = tasks.Retry(tasks.ClassMissingField, "required fields are not on the page: %s; check the recipe's selectors", strings.Join(missing, ", "))
	case found > 0 && notReady:
		res.Outcome = tasks.OutcomePartial
		res.Missing = tasks.Retry(tasks.ClassNotReady, "the page still shows that it is loading after %v, so more documents may come", r.Ready.Timeout)
	case found > 0 && p.Cut != "":
		res.Outcome = tasks.OutcomePartial
		res.Missing = tasks.Retry(tasks.ClassUnproven, "%s, so more documents may be listed", p.Cut)
	case found > 0:
		res.Outcome = tasks.OutcomeComplete
	case noPlace(r) || p.None || p.doubt() == "":
		res.Outcome = tasks.OutcomeNoAttachments
	default:
		res.Outcome = tasks.OutcomePartial
		res.Missing = tasks.Retry(tasks.ClassUnproven, "no document is listed, and nothing proves that there is none: %s", p.doubt())
	}
	if res.Missing != nil {
		res.Missing.Phase = PhaseDownload
		if found == 0 || len(missing) > 0 {
			res.Missing.Phase = PhaseSettle
		}
	}
}

// doubt says what keeps the page from proving that there is no document, or "".
func (p *page) doubt() string {
	switch {
	case p.NotReady != "":
		return "the page still shows that it is loading"
	case p.Cut != "":
		return p.Cut
	case p.Unsettled != "":
		return p.Unsettled
	case p.Identity != identitySure:
		return "the page mentions the order's number, but nothing says that it is about that order (identity.selector)"
	}
	return ""
}

// noPlace reports whether the recipe has no place to look for documents, or
// says that finding none needs no proof.
func noPlace(r *Recipe) bool {
	if r.Attachments == nil {
		return !r.Auto
	}
	return r.Attachments.Optional
}

// missingFields returns the names of the required fields that are not there.
func missingFields(r *Recipe, res *tasks.Result) []string {
	var missing []string
	for _, f := range r.Fields {
		if field, ok := res.Fields[f.Name]; f.Required && (!ok || strings.TrimSpace(field.Raw) == "" || field.Error != "") {
			missing = append(missing, f.Name)
		}
	}
	return missing
}

// missingDocuments returns a failure that names the first of the documents that
// are missing. It asks for a retry if that may bring one of them.
func missingDocuments(res *tasks.Result, format string, args ...any) *tasks.Failure {
	var first *tasks.Attachment
	var wait time.Duration
	retry := false
	for i, a := range res.Attachments {
		if a.State == tasks.AttachmentDone {
			continue
		}
		if first == nil {
			first = &res.Attachments[i]
		}
		wait = max(wait, a.Error.After)
		retry = retry || a.State == tasks.AttachmentFailed && a.Error.Retryable
	}
	args = append(args, first.Name+": "+first.Error.Message)
	f := tasks.Retry(first.Error.Class, format, args...)
	f.After = wait
	if !retry {
		f.Advice, f.Retryable = tasks.AdvicePermanent, false
	}
	return f
}
