package browser

// nonBlocking: no file is a pipe here.
const nonBlocking = 0
