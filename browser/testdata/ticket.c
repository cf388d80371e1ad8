// The part of the GSS-API (RFC 2744) that Chrome needs to sign in at a server with the user's own ticket. It has one
// for everybody.
#include <stddef.h>

typedef unsigned int status;
typedef struct { size_t length; void *value; } buffer;
typedef struct { status length; void *elements; } oid;

static char some[1];
static oid kerberos = {10, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x01\x04"};
oid *GSS_C_NT_HOSTBASED_SERVICE = &kerberos;

status gss_import_name(status *minor, buffer *in, oid *type, void **name) { *minor = 0; *name = some; return 0; }
status gss_release_name(status *minor, void **name) { *minor = 0; *name = 0; return 0; }
status gss_release_buffer(status *minor, buffer *b) { *minor = 0; b->length = 0; b->value = 0; return 0; }
status gss_display_name(status *minor, void *name, buffer *out, oid **type) { *minor = 0; out->length = 1; out->value = some; return 0; }
status gss_display_status(status *minor, status code, int kind, oid *mech, status *more, buffer *out) { *minor = *more = 0; out->length = 1; out->value = some; return 0; }
status gss_init_sec_context(status *minor, void *cred, void **context, void *name, oid *mech, status flags, status time, void *bindings,
                            buffer *in, oid **actual, buffer *out, status *got, status *left) {
  *minor = 0; *context = some; out->length = 6; out->value = "ticket"; return 0;
}
status gss_wrap_size_limit(status *minor, void *context, int secret, status qop, status size, status *limit) { *minor = 0; return 0; }
status gss_delete_sec_context(status *minor, void **context, buffer *out) { *minor = 0; *context = 0; return 0; }
status gss_inquire_context(status *minor, void *context, void **from, void **to, status *left, oid **mech, status *flags, int *local, int *open) { *minor = 0; return 0; }
