package io.setplan.kube;

/**
 * The time in which only this process may write. Each write asks the clock, so a process that was stopped for longer writes nothing when it
 * goes on.
 *
 * <p>Two gaps remain, as for every lease: a request that was sent before the end may still be on its way, and a clock that stops while a
 * machine sleeps ends no term. Against both, every write names the uid of its object, and where it matters the version.
 */
final class Term {
    /** After this time an API server gives up a request whose caller does not wait any more (--request-timeout). */
    private static final long UNDER_WAY = 60_000_000_000L;

    private long until;
    private boolean over;
    private boolean cutOff;
    private long cutOffAt;

    /** {@code until} is on the clock of System.nanoTime. */
    Term(long until) {
        this.until = until;
    }

    /** How many nanoseconds are left; at most 0 where the term has ended. */
    synchronized long left() {
        return until - System.nanoTime();
    }

    boolean holds() {
        return left() > 0;
    }

    /** Extends the term. One that has ended stays ended. */
    synchronized void renew(long next) {
        if (holds()) {
            until = next;
        }
    }

    synchronized void end() {
        until = Math.min(until, System.nanoTime());
    }

    /** Notes that the work under this term has ended. */
    synchronized void finish() {
        over = true;
    }

    /** Reports whether nothing works under this term any more. */
    synchronized boolean isOver() {
        return over;
    }

    /** Notes a write without an answer: the API server may still carry it out. */
    synchronized void cutOff() {
        cutOff = true;
        cutOffAt = System.nanoTime();
    }

    /** Reports whether a write may be under way without anybody who waits for it. */
    synchronized boolean leavesWrites() {
        return cutOff && System.nanoTime() - cutOffAt < UNDER_WAY;
    }
}
