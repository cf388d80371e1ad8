package control

import (
	"errors"
	"fmt"
	"net/http"
)

// Code says what kind of error it is. Codes are a promise to scripts.
type Code string

// The codes.
const (
	NotFound     Code = "WORKER-001" // no such session or worker
	NotRunning   Code = "WORKER-002" // it does not run, or not any more
	StartFailed  Code = "WORKER-003" // no browser can be started, so the session ends
	Timeout      Code = "WORKER-004" // no answer in time
	OutOfBounds  Code = "WORKER-005" // a number or limit is out of bounds
	NoContainer  Code = "WORKER-006" // browsers cannot live in containers
	NotPermitted Code = "WORKER-007" // the session is somebody else's
)

// Error is an error of the control interface.
type Error struct {
	// Code is empty where a request is no valid message at all.
	Code    Code   `json:"code"`
	Message string `json:"message"`
	err     error
}

func (e *Error) Error() string {
	if e.Code == "" {
		return e.Message
	}
	return string(e.Code) + ": " + e.Message
}

// Unwrap returns the error behind it, or nil.
func (e *Error) Unwrap() error { return e.err }

// Errorf returns an *Error, as fmt.Errorf does.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), err: errors.Unwrap(err)}
}

// status returns the HTTP status that goes with an error.
func (e *Error) status() int {
	switch e.Code {
	case NotFound:
		return http.StatusNotFound
	case NotRunning:
		return http.StatusConflict
	case NotPermitted:
		return http.StatusForbidden
	case Timeout:
		return http.StatusGatewayTimeout
	case StartFailed, NoContainer:
		return http.StatusServiceUnavailable
	}
	return http.StatusBadRequest
}

// asError returns an error as an *Error.
func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Message: err.Error(), err: err}
}
