// Package monitor watches how loaded the machine is, and says how many workers
// it can carry; a UsageSampler measures what groups of processes use.
//
// A ResourceMonitor takes a Sample at every interval and asks its Scaler for
// fewer workers when CPU or memory stay above their thresholds, and for one more
// when the load has passed and a forecast says that one more fits. It knows
// nothing of workers but their number: the Scaler takes one away by letting it
// finish its work, and it stops nothing by itself.
//
// # Going down
//
// A sample is over when its CPU or its memory is above the threshold. Some
// samples over in a row (Config.Samples) take one worker away, never the last
// one. Of memory, which must not run out, as many are taken away at once as
// have what it is over by, and will be, at the rate of the last samples, when the
// change has taken effect. The interval between samples may be long, so once one is over, the next
// are taken sooner, within 2 s altogether: a decision comes at most 2 s after the
// sample that first shows the breach. After each change the monitor lets the
// load settle, then samples again, so it lands on the highest number of workers
// that stays below the thresholds.
//
// # Going up
//
// One more worker is asked for when three things are true: whatever had been over
// is below its threshold by a margin (Config.LowerMark); it has been so for a
// while (Config.Dwell); and the load forecast for one more worker is within both
// thresholds. The forecast is the smoothed load plus what one worker adds, which
// is learned from what the samples showed before and after each change. What was
// learned fades, with a half-life of ten dwells, so that a wrong figure holds
// nothing up for ever. A raise that has to be taken back within two dwells
// doubles the dwell, up to 16 times, and the half-life, up to 64 times, until one
// lasts.
//
// Raises that follow one another, with nothing over in between, wait for one
// interval each. Where the forecast is below both thresholds by twice the margin,
// what failed before does not count: that was under another load.
//
// Where the load is so low that all workers wanted have room in it, as what was usual with them
// shows (see usual), they are had back at once, after two intervals.
//
// # No flapping
//
// After a worker was taken away, none is added for twelve intervals: a minute at the default. For as
// long after the number has begun to rise, none is taken away because of CPU alone, unless that is
// saturated: so the number turns at most once a minute. For memory it always falls at once.
//
// # Too much for one
//
// Where memory stays over its threshold although one worker alone is left, new work waits, if
// the Scaler is a Holder. It goes on when memory has been below by the margin for a dwell, and
// in any case after twelve intervals: what takes the memory may be the worker that waits. Then
// it goes on for twelve intervals at least.
//
// # Smoothing
//
// The CPU of a sample is its mean over the time since the sample before, never a
// momentary value. Nothing else is smoothed on the way down: several samples in a
// row do that. The forecast and what is learned use a moving average of the
// samples since the last change, in which a new sample weighs at least a
// quarter.
//
// # States
//
//	             Run               one worker less
//	INACTIVE ---------> MONITORING ----------------> SCALING_DOWN
//	    ^                |  ^                           |  |
//	    +----------------+  `---------------------------'  |
//	    |  Run ends              the load has settled      |
//	    +--------------------------------------------------+
package monitor
