package io.setplan.adapter.verify;

import com.google.protobuf.ByteString;

/** Compares JSON documents as the checks do. */
public final class Documents {
    private Documents() {}

    /**
     * {@return whether two documents say the same: order of keys, blanks and the spelling of a number do not count}
     *
     * @param a one document
     * @param b another one
     * @throws IllegalArgumentException one of them cannot be read
     */
    public static boolean same(ByteString a, ByteString b) {
        return Json.parse(a, false).equals(Json.parse(b, false));
    }
}
