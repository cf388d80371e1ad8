package portal

import "net/http"

// routes lists everything that the portal answers. HEAD is answered as GET.
func (p *Portal) routes() *http.ServeMux {
	mux := http.NewServeMux()
	for pattern, handler := range map[string]http.HandlerFunc{
		"GET /{$}":                                     p.serveLanding,
		"GET /orders/{number}":                         p.serveOrder,
		"GET /orders/{number}/attachments":             p.serveAttachmentForms,
		"GET /orders/{number}/attachments/new":         p.serveAttachmentForms,
		"GET /orders/{number}/attachments/{n}":         p.serveDocument,
		"GET /orders/{number}/attachments/{n}/{name}":  p.serveDocument,
		"POST /orders/{number}/attachments/{n}":        p.serveDocument,
		"POST /orders/{number}/attachments/{n}/{name}": p.serveDocument,
		"GET /orders/{number}/part/{part}":             p.servePart,
		"GET /requisitions/{number}":                   p.serveRequisition,
		"GET " + SearchPath:                            p.serveSearch,
		"GET " + DeskPath + "{number}":                 p.serveDesk,
		"GET " + DeskPath + "{number}/{part}":          p.serveDeskPart,
		"GET /files/{number}/{n}":                      p.serveMoved,
		"GET /login":                                   func(w http.ResponseWriter, _ *http.Request) { p.serveLogin(w) },
		"GET /api/orders/{number}/documents":           p.serveList,
		"GET /api/orders/{number}/content/{n}":         p.serveContent,
		"GET " + rememberedPath:                        p.serveRemembered,
		"GET " + termsPath:                             p.serveTerms,
		"GET /api/picture":                             p.servePicture,
		"GET /api/news":                                p.serveNews,
		"GET " + ApplicationPath:                       p.serveApplication,
		"GET " + applicationData + "{number}":          p.serveApplicationOrder,
		"GET /assets/{file}":                           p.serveAsset,
		"GET /":                                        p.serveElse,
	} {
		mux.HandleFunc(pattern, handler)
	}
	return mux
}
