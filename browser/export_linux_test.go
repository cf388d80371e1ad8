package browser

// Widen lets pipes hold more.
var Widen = widen

// CollectEvery is collectEvery.
const CollectEvery = collectEvery
