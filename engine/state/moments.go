package state

import "time"

// MinRepairAge is how old a pod has to be that has never been ready: it may be about to become so, and several edits of a template in a row should
// not each cost a pod. So old has one to be that has ended, too.
const MinRepairAge = 10 * time.Second

// Moment is how long a pod that was ready has to be unready without a break. A pod that was just created, or whose containers just restarted, counts as on its way for as long.
const Moment = time.Minute
