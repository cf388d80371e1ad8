package browser

// Widen lets pipes hold more.
var Widen = widen
