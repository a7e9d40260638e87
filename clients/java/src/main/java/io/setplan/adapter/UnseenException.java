package io.setplan.adapter;

/** Why a pass is postponed: the caches do not show a write. */
public final class UnseenException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Write write;

    UnseenException(Write write) {
        super("the cache has not shown the %s of %s %s"
                .formatted(write.deleted() ? "delete" : "write", write.kind(), write.name()));
        this.write = write;
    }

    /** {@return what is not shown} */
    public Write write() {
        return write;
    }
}
