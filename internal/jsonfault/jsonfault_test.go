package jsonfault

import (
	"regexp"
	"testing"

	"github.com/poscrape/poscrape/internal/jsondata"
)

// TestFaultyAnswers finds what an answer says of errors, in the words of many interfaces, and no error
// in what is an order's own.
func TestFaultyAnswers(t *testing.T) {
	t.Parallel()
	faulty := []string{
		`{"errors": [{"message": "no"}], "data": null}`, `[{"data": {}}, {"errors": [{}]}]`, `{"errors": ["no"]}`, `{"errors": {"id": ["no"]}}`,
		`{"error": "no"}`, `{"error": {"code": "E1"}}`, `{"error": true}`, `{"error": 7}`, `{"success": false}`, `{"Success": false, "data": {"files": []}}`,
		`{"is_success": "false"}`, `{"success": 0}`, `{"ok": 0}`, `{"HasErrors": true}`, `{"Errors": ["no"]}`, `{"meta": {"success": false}, "files": []}`,
		`{"data": {"error": "no"}}`, `{"errorMessage": "no"}`, `{"authenticated": false, "files": []}`, `{"sessionExpired": true, "files": []}`,
		`{"status": "error", "documents": []}`, `{"status": "error", "total": 12}`, `{"status": "fail", "data": {"id": "unknown"}}`,
		`{"status": "failed", "documents": []}`, `{"status": "FAILED", "message": "down", "total": 1}`, `{"status": false, "message": "no"}`,
		`{"status": "error", "message": "PO1001 could not be loaded", "path": "/orders/PO1001", "documents": []}`,
		`{"timestamp": "2026-01-01", "status": 500, "path": "/api/orders/PO1001", "documents": []}`,

		`{"code": 401, "message": "no"}`, `{"code": 401, "documents": []}`, `{"code": 40101, "msg": "token", "data": null}`, `{"code": "UNAUTHORIZED", "message": "no"}`,
		`{"errorCode": "E1", "documents": []}`, `{"error_code": 3, "documents": []}`, `{"errcode": 40001, "errmsg": "no"}`, `{"errno": -1}`,
		`{"resultCode": 17, "documents": []}`, `{"resultCode": "17", "resultMsg": "no", "total": 0}`, `{"returnCode": 1, "returnMessage": "no session", "data": null}`,
		`{"statusCode": 503, "total": 1}`, `{"result": "error", "documents": []}`, `{"result": "failure", "message": "no"}`,
		`[{"message": "Session expired or invalid", "errorCode": "INVALID_SESSION_ID"}]`, `{"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "no"}}`,
		`{"odata.error": {"code": "1", "message": {"value": "no"}}}`, `{"fault": {"faultstring": "no", "detail": {}}}`, `{"Fault": {"code": 1}}`,
		`{"ResponseStatus": {"ErrorCode": "NotFound", "Message": "no"}, "documents": []}`, `{"errorMessages": ["no"], "errors": {}}`,
		`{"responseHeader": {"status": 500}, "documents": []}`,

		`{"meta": {"status": 401, "message": "no"}, "documents": []}`,
	}
	honest := []string{
		`{"errors": [], "error": null, "success": true, "ok": true}`, `{"error": false}`, `{"error": 0}`, `{"error": ""}`, `{"error": {}}`, `{"errors": [null]}`,
		`{"error": "false"}`, `{"error": "none"}`, `{"error": {"code": 0, "message": ""}}`, `{"errors": {"id": []}}`, `{"errorMessage": "", "Success": true}`,
		`{"order": {"errors": ["x"]}}`, `[]`, `"no"`, `{}`, `{"errcode": 0, "errmsg": "ok"}`, `{"errorCode": "00", "errorText": null}`, `{"code": 0, "message": "no documents"}`,
		`{"code": 200, "message": "no documents", "documents": []}`, `{"code": 20000, "msg": "x"}`, `{"code": 1, "msg": "success", "data": []}`, `{"errorCount": 0, "documents": []}`,
		`{"resultCode": "SUCCESS", "documents": []}`, `{"resultCode": 0, "resultMsg": "x"}`, `{"returnCode": "000", "documents": []}`, `{"status": "success", "data": null}`,
		`{"status": 200, "documents": []}`, `{"status": 0, "documents": []}`, `{"status": "ok", "documents": []}`, `{"status": "open", "documents": []}`,
		`{"data": {"status": "error", "total": 12}}`, `{"order": {"status": "error", "code": 401}}`, `{"number": "PO1001", "status": "error", "documents": []}`,
		`{"po": "1001", "status": "failed", "code": 450, "documents": []}`, `{"result": {"status": "failed"}}`, `{"status": "failed", "total": 12}`,
		`{"code": "41000", "description": "IT"}`, `{"code": 450, "title": "Paper", "documents": []}`, `{"documents": [{"status": "error"}, {"status": 500, "message": "x"}]}`,
		`[{"name": "a.pdf", "status": "error", "code": 500}]`, `{"messages": [{"type": "S", "message": "read"}], "documents": []}`, `{"messages": [], "return": {}}`,
		`{"type": "purchase", "title": "x", "status": "approved"}`, `{"failed": 3, "total": 12}`, `{"statusCode": 200}`, `{"errorRate": 3, "errorUrl": "/e"}`,
		`{"ResponseStatus": {}, "documents": []}`, `{"responseHeader": {"status": 0}}`, `{"d": {"results": []}}`, `{"exception": false, "documents": []}`,
	}
	honest = append(honest, `{"approved": false, "authorized": false, "total": 5}`, `{"number": "PO1001", "unauthorized": true, "total": 5}`,
		`{"responseCode": 100, "responseMessage": "Request processed", "data": {"total": 5}}`, `{"status": 1, "message": "found", "data": {"total": 5}}`, `{"message": "Deliver by rail"}`)
	faulty = append(faulty, `{"failed": true, "total": 5}`, `{"accessDenied": true, "documents": []}`)
	own := regexp.MustCompile(`(?:^|\W)(?:PO)?1001(?:\W|$)`).MatchString
	for wrong, texts := range map[bool][]string{true: faulty, false: honest} {
		for _, text := range texts {
			value, err := jsondata.Read([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			said := In(value, own)
			if (said != Fault{}) != wrong {
				t.Errorf("%s: %q", text, said)
			}
		}
	}
}
