package io.setplan.kube;

import io.setplan.rawjson.Raw;
import io.setplan.snapshot.Snapshots;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A cache of one kind: what the API server has, in one namespace or in all. The list is as new as the API server is. */
public final class Cache {
    private static final Logger LOG = LoggerFactory.getLogger(Cache.class);
    private static final long RETRY_MS = 1000;
    private static final int PAGE = 500;

    /** For a namespace that is not known. */
    private static final String ANY = "";

    private final Api api;
    private final Resource resource;
    private final String path;
    private final CountDownLatch filled = new CountDownLatch(1);
    private volatile Map<String, Map<String, Raw>> objects = new ConcurrentHashMap<>();
    private volatile Set<String> unreadable = ConcurrentHashMap.newKeySet();
    private volatile String version = "";
    private long heard; // events

    /**
     * Makes a cache; {@link #run} fills it.
     *
     * @param api the cluster
     * @param resource what it is to have
     * @param path the collection's
     */
    public Cache(Api api, Resource resource, String path) {
        this.api = api;
        this.resource = resource;
        this.path = path;
    }

    /** {@return what it has} */
    public Resource resource() {
        return resource;
    }

    /** {@return the newest resource version that was seen} The objects are as new, or newer. */
    public String version() {
        return version;
    }

    /** {@return whether the first list is there} */
    public boolean isFilled() {
        return filled.getCount() == 0;
    }

    /**
     * {@return whether it has all that the API server has shown of a namespace} It has not before the first list, nor while an object
     * cannot be read.
     *
     * @param namespace the namespace
     */
    public boolean isComplete(String namespace) {
        Set<String> failed = unreadable;
        return isFilled() && !failed.contains(namespace) && !failed.contains(ANY);
    }

    /**
     * Waits for the first list.
     *
     * @throws InterruptedException the thread was interrupted
     */
    public void awaitFilled() throws InterruptedException {
        filled.await();
    }

    /**
     * {@return an object}
     *
     * @param namespace its namespace
     * @param name its name
     */
    public Optional<Raw> get(String namespace, String name) {
        return Optional.ofNullable(objects.getOrDefault(namespace, Map.of()).get(name));
    }

    /**
     * {@return the objects of a namespace}
     *
     * @param namespace its namespace
     */
    public List<Raw> of(String namespace) {
        return List.copyOf(objects.getOrDefault(namespace, Map.of()).values());
    }

    /** {@return all objects} */
    public List<Raw> all() {
        return objects.values().stream().flatMap(here -> here.values().stream()).toList();
    }

    /**
     * Keeps the cache current until the thread is interrupted.
     *
     * @param changed is told of objects that were added, changed or deleted
     * @throws InterruptedException the thread was interrupted
     */
    public void run(Consumer<Raw> changed) throws InterruptedException {
        boolean listed = false;
        while (true) {
            try {
                if (!listed) {
                    list(changed);
                    listed = true;
                }
                while (true) {
                    long before = heard;
                    api.watch(path, version, event -> take(event, changed));
                    if (heard == before) {
                        Thread.sleep(RETRY_MS); // or it would be asked for again and again
                    }
                }
            } catch (UnavailableException e) { // the next watch begins where this one ended
                if (e.getCause() instanceof Error broken) {
                    throw broken;
                }
                LOG.warn("the watch of {} ended: {}", resource.plural(), e.toString());
            } catch (ApiException e) {
                listed = false;
                LOG.warn("the watch of {} ended: {}", resource.plural(), e.toString());
            } catch (RuntimeException e) {
                if (Thread.interrupted()) {
                    throw new InterruptedException(); // the cluster's client may be closed already
                }
                listed = false;
                unreadable.add(ANY);
                LOG.error("{} cannot be read, and the cache is behind", resource.plural(), e);
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            Thread.sleep(RETRY_MS);
        }
    }

    /** Shows the list when it is complete. It has pages: what takes longer than a request may is never read in one piece. */
    private void list(Consumer<Raw> changed) {
        List<Raw> told = new ArrayList<>(all());
        Map<String, Map<String, Raw>> listed = new ConcurrentHashMap<>();
        Set<String> failed = ConcurrentHashMap.newKeySet();
        Raw page;
        String newest;
        String more = "";
        do {
            page = api.get(path + "?limit=" + PAGE + more);
            newest = version(page);
            for (Raw thing : Snapshots.items(page)) {
                readable(thing, failed, () -> put(listed, thing));
                told.add(thing);
            }
            more = "&continue=" + URLEncoder.encode(page.string("metadata", "continue"), StandardCharsets.UTF_8);
        } while (!page.string("metadata", "continue").isEmpty());
        objects = listed;
        unreadable = failed;
        version = newest;
        filled.countDown();
        told.forEach(thing -> readable(thing, failed, () -> changed.accept(thing)));
    }

    private void take(Raw event, Consumer<Raw> changed) {
        Raw object = event.get("object");
        if (object == null) {
            return;
        }
        Raw thing = object.copy();
        String type = event.string("type");
        if (type.equals("ERROR")) {
            throw new ApiException((int) thing.int64("code"), thing);
        }
        String newest = version(thing);
        switch (type) {
            case "DELETED" -> readable(thing, unreadable, () -> remove(thing));
            case "ADDED", "MODIFIED" -> readable(thing, unreadable, () -> put(objects, thing));
            default -> {} // a bookmark has a version only
        }
        version = newest;
        heard++;
        if (!type.equals("BOOKMARK")) {
            readable(thing, unreadable, () -> changed.accept(thing));
        }
    }

    /** Does something with an object. One that cannot be read hides no other, and its namespace is not complete until the next list. */
    private void readable(Raw thing, Set<String> failed, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            String namespace = ANY;
            try {
                namespace = namespace(thing);
            } catch (IllegalArgumentException none) {
                e.addSuppressed(none);
            }
            failed.add(namespace);
            LOG.error("one of {} in the namespace '{}' cannot be read", resource.plural(), namespace, e);
        }
    }

    private static void put(Map<String, Map<String, Raw>> into, Raw thing) {
        into.computeIfAbsent(namespace(thing), namespace -> new ConcurrentHashMap<>())
                .put(name(thing), thing);
    }

    private void remove(Raw thing) {
        objects.computeIfPresent(namespace(thing), (namespace, here) -> {
            here.remove(name(thing));
            return here.isEmpty() ? null : here;
        });
    }

    /** IllegalArgumentException: there is none, so this is nothing that an API server sends. */
    private static String version(Raw thing) {
        String version = thing.string("metadata", "resourceVersion");
        if (version.isEmpty()) {
            throw new IllegalArgumentException("there is no resource version");
        }
        return version;
    }

    private static String namespace(Raw thing) {
        return thing.string("metadata", "namespace");
    }

    private static String name(Raw thing) {
        return thing.string("metadata", "name");
    }
}
