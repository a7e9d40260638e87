package io.setplan.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.setplan.testing.ApiServer;
import io.setplan.testing.ApiServer.Answer;
import io.setplan.testing.ApiServer.Asked;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who may write. */
class LeaseTest {
    private JsonObject spec = new JsonObject();
    private boolean exists;
    private int version;
    private boolean fails;
    private final ApiServer server = new ApiServer(this::answer);

    @AfterEach
    void close() {
        server.close();
    }

    private Answer answer(Asked asked) {
        return asked.url().startsWith("/hang")
                ? new Answer(Answer.HANG, "")
                : asked.url().startsWith("/write") ? new Answer(200, "{}") : ofLease(asked);
    }

    private synchronized Answer ofLease(Asked asked) {
        if (fails) {
            return new Answer(500, "");
        }
        if (asked.method().equals("GET") && !exists) {
            return new Answer(404, "{\"kind\":\"Status\"}");
        }
        if (!asked.method().equals("GET")) {
            version++;
            exists = true;
            JsonParser.parseString(asked.body())
                    .getAsJsonObject()
                    .getAsJsonObject("spec")
                    .entrySet()
                    .forEach(field -> spec.add(field.getKey(), field.getValue()));
        }
        return new Answer(
                200, "{\"metadata\":{\"name\":\"l\",\"resourceVersion\":\"%d\"},\"spec\":%s}".formatted(version, spec));
    }

    private synchronized void becomes(String holder) {
        exists = true;
        spec = new JsonObject();
        spec.addProperty("holderIdentity", holder);
        spec.addProperty("leaseDurationSeconds", 1);
    }

    private synchronized String field(String name) {
        return spec.get(name).getAsString();
    }

    private synchronized void fail() {
        fails = true;
    }

    private Lease lease(String identity) {
        return new Lease(server.api, "default", "l", identity, Duration.ofSeconds(1), Duration.ofMillis(20));
    }

    private static void untilInterrupted() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void isTakenAndGivenBack() throws Exception {
        lease("me").hold(() -> {
            String holder = field("holderIdentity");
            assertTrue(holder.matches("me_[0-9a-f-]{36}"), holder);
        });
        assertEquals("", field("holderIdentity"));
        assertTrue(
                field("renewTime").matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z"), field("renewTime"));
    }

    @Test
    void whatTheWorkThrowsIsThrown() {
        assertThrows(
                IllegalStateException.class,
                () -> lease("me").hold(() -> {
                    throw new IllegalStateException("broken");
                }));
        assertEquals("", field("holderIdentity"));
    }

    @Test
    void ofSomebodyElseIsWaitedForUntilItExpires() throws Exception {
        becomes("other");
        long begin = System.nanoTime();
        lease("me").hold(() -> {
            assertTrue(field("holderIdentity").startsWith("me_"));
            assertEquals("1", field("leaseTransitions"));
        });
        assertTrue(System.nanoTime() - begin >= 1_000_000_000L, "it has looked for a second");
    }

    @Test
    void thatWasGivenAwayEndsTheWork() {
        AtomicBoolean ended = new AtomicBoolean();
        assertThrows(
                LeaseLostException.class,
                () -> lease("me").hold(() -> {
                    becomes("other");
                    untilInterrupted();
                    ended.set(true);
                }));
        assertTrue(ended.get());
        assertEquals("other", field("holderIdentity"), "and it is not ours to give back");
    }

    @Test
    void thatCannotBeRenewedEndsTheWork() {
        AtomicBoolean ended = new AtomicBoolean();
        assertThrows(
                LeaseLostException.class,
                () -> lease("me").hold(() -> {
                    fail();
                    untilInterrupted();
                    ended.set(true);
                }));
        assertTrue(ended.get());
    }

    @Test
    void isRenewedAndGivenBackWhenTheWorkHasEndedAndNotBefore() {
        Thread caller = Thread.currentThread();
        AtomicBoolean early = new AtomicBoolean();
        assertThrows(
                InterruptedException.class,
                () -> lease("me").hold(() -> {
                    String first = field("renewTime");
                    while (field("renewTime").equals(first)) {
                        Thread.onSpinWait();
                    }
                    caller.interrupt();
                    untilInterrupted();
                    early.set(field("holderIdentity").isEmpty());
                }));
        assertFalse(early.get());
        assertEquals("", field("holderIdentity"));
    }

    /** Two processes may have one host name, and the same pid in two containers. */
    @Test
    void ofANamesakeIsWaitedForToo() throws Exception {
        Thread second = new Thread(() -> {
            try {
                lease("me").hold(() -> {});
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        lease("me").hold(() -> {
            String mine = field("holderIdentity");
            second.start();
            String first = field("renewTime");
            while (field("renewTime").equals(first)) {
                Thread.onSpinWait();
            }
            assertEquals(mine, field("holderIdentity"));
        });
        second.join();
    }

    private void write(String path, int millis) {
        server.api.send("POST", path, Api.JSON, new byte[0], Duration.ofMillis(millis));
    }

    @Test
    void writesAreSentWhileItIsHeldOnly() throws Exception {
        lease("me").hold(() -> write("/write", 5000));
        assertThrows(LeaseLostException.class, () -> write("/write", 5000));
        lease("me").hold(() -> write("/write", 5000));
        assertEquals(2, count("/write"));
    }

    private long count(String path) {
        return server.asked.stream()
                .filter(asked -> asked.url().startsWith(path))
                .count();
    }

    /** A process that was stopped goes on at any place, and nobody has told it yet. */
    @Test
    void nothingIsWrittenOnceTheTermHasPassed() {
        Term term = new Term(System.nanoTime() + 50_000_000);
        server.api.begin(term);
        while (term.holds()) {
            Thread.onSpinWait();
        }
        term.renew(System.nanoTime() + 1_000_000_000);
        assertThrows(LeaseLostException.class, () -> write("/write", 5000));
        assertEquals(0, count("/write"));
    }

    /** Also one that nobody interrupts, such as those of a pass. */
    @Test
    void aWriteEndsWithTheTermAndNotBeforeThatIsExtended() throws Exception {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        AtomicBoolean early = new AtomicBoolean();
        assertThrows(
                LeaseLostException.class,
                () -> lease("me").hold(() -> {
                    Thread step = new Thread(() -> {
                        assertThrows(UnavailableException.class, () -> write("/hang", 600_000));
                        ended.complete(null);
                    });
                    step.setDaemon(true);
                    step.start();
                    String first = field("renewTime");
                    while (field("renewTime").equals(first)) {
                        Thread.onSpinWait();
                    }
                    early.set(ended.isDone());
                    fail();
                    untilInterrupted();
                }));
        assertFalse(early.get());
        ended.get(1, TimeUnit.MINUTES);
    }

    @Test
    void isNotGivenBackWhileAWriteMayBeUnderWay() throws Exception {
        lease("me").hold(() -> assertThrows(UnavailableException.class, () -> write("/hang", 50)));
        assertTrue(field("holderIdentity").startsWith("me_"), "it expires");
    }

    @Test
    void workThatDoesNotEndWithinTheTermLosesIt() throws Exception {
        Thread caller = Thread.currentThread();
        CountDownLatch end = new CountDownLatch(1);
        Lease lease = lease("me");
        assertThrows(
                LeaseLostException.class,
                () -> lease.hold(() -> {
                    caller.interrupt();
                    while (end.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                }));
        assertTrue(field("holderIdentity").startsWith("me_"), "it expires");
        assertThrows(IllegalStateException.class, () -> lease.hold(() -> {}), "the work goes on");
        end.countDown();
    }

    @Test
    void anInterruptEndsTheWait() {
        becomes("other");
        Thread.currentThread().interrupt();
        assertThrows(
                InterruptedException.class,
                () -> lease("me").hold(() -> {
                    throw new AssertionError("not now");
                }));
    }
}
