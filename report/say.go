package report

import "github.com/poscrape/poscrape/tasks"

// Title says in a few words why the orders did not end well.
func (r Reason) Title() string {
	switch r.Outcome {
	case tasks.OutcomeNotFound:
		return "Not on the portal"
	case tasks.OutcomeAccessDenied:
		return "The portal refuses to show them"
	case tasks.OutcomeInvalidInput:
		return "Rows of the sheet that cannot be used"
	case tasks.OutcomeIdentityMismatch:
		return "The page does not show the number asked for"
	case tasks.OutcomeSessionExpired:
		return "Signed out by the portal"
	case tasks.OutcomeTimeout:
		return "Out of time"
	}
	if title, known := classTitles[r.Class]; known {
		return title
	}
	if r.Outcome == tasks.OutcomePartial {
		return "Something is missing"
	}
	return "Could not be read"
}

// classTitles say what a class of failures means to whoever waits for the documents.
var classTitles = map[tasks.Class]string{
	tasks.ClassNavigation: "The page could not be reached", tasks.ClassCertificate: "The portal's certificate is not trusted",
	tasks.ClassHTTPStatus: "The portal answered with an error", tasks.ClassThrottled: "The portal asked to wait",
	tasks.ClassLogin: "The portal asked to sign in", tasks.ClassStep: "A step of the recipe could not be done",
	tasks.ClassSearch: "The portal's search did not lead to them", tasks.ClassWall: "The portal asked for something else first",
	tasks.ClassNotReady: "The page did not become ready", tasks.ClassMissingField: "A required field is missing",
	tasks.ClassUnproven:   "No documents seen, and no proof that there are none",
	tasks.ClassIncomplete: "The page says that there are more documents", tasks.ClassPage: "The page could not be read",
	tasks.ClassPageIncomplete: "A part of the page could not be loaded", tasks.ClassUnsettled: "The page never came to rest",
	tasks.ClassPortalError: "The page is an error or a maintenance notice", tasks.ClassNotClicked: "A document was deliberately not clicked",
	tasks.ClassNotYet: "The portal has not made a document yet", tasks.ClassAttachment: "A document could not be fetched",
	tasks.ClassEmptyFile: "A document is empty", tasks.ClassWrongSize: "A document's size is not the announced one",
	tasks.ClassWrongType: "A document is not of the type that it claims", tasks.ClassHost: "A page or document is on a host that is not allowed",
	tasks.ClassLimit: "Over a limit of the recipe", tasks.ClassRendererCrash: "The page crashed",
	tasks.ClassBrowserLost: "The browser was lost", tasks.ClassStorage: "A file could not be written",
	tasks.ClassPanic: "An error inside poscrape", tasks.ClassInternal: "An error inside poscrape",
}

// proofTexts say what a kind of proof rests on.
var proofTexts = map[tasks.ProofKind]string{
	tasks.ProofMarker: "The portal says so itself.", tasks.ProofCount: "The page counts 0 documents.",
	tasks.ProofLeftOut:  "The recipe leaves out all that are listed.",
	tasks.ProofSettled:  "The page came to rest without any, and the recipe has found documents on others of its kind.",
	tasks.ProofAuto:     "The page came to rest without any, and has no way to more.",
	tasks.ProofOptional: "The recipe asks for no proof.",
	tasks.ProofSheet:    "The sheet says so.",
	tasks.ProofWhole:    "The recipe says that what it finds is all.",
}

// proofText says what a kind of proof rests on.
func proofText(by tasks.ProofKind) string { return proofTexts[by] }
