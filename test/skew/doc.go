// Package skew builds the contract as a later release may have it, and with it what peers of that release say: answers that adapters of
// today get, and requests that planners of today get. As long as there is one release, this stands for the next one.
//
// The requests are vectors, under later.
package skew
