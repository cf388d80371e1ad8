package documents

// OriginOf is originOf.
var OriginOf = originOf
