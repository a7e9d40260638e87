package io.setplan.kube;

import io.setplan.rawjson.Raw;
import io.setplan.snapshot.Snapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A cache of one kind: what the API server has, in one namespace or in all. The list is as new as the API server is. */
public final class Cache {
    private static final Logger LOG = LoggerFactory.getLogger(Cache.class);
    private static final long RETRY_MS = 1000;

    private final Api api;
    private final Resource resource;
    private final String path;
    private final CountDownLatch filled = new CountDownLatch(1);
    private volatile Map<String, Map<String, Raw>> objects = new ConcurrentHashMap<>();
    private volatile String version = "";

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
        while (true) {
            try {
                list(changed);
                while (true) {
                    api.watch(path, version, event -> take(event, changed));
                }
            } catch (ApiException e) {
                if (e.status() != ApiException.GONE) {
                    LOG.warn("the watch of {} ended: {}", resource.plural(), e.toString());
                    Thread.sleep(RETRY_MS);
                }
            } catch (UnavailableException | IllegalArgumentException e) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                LOG.warn("the watch of {} ended: {}", resource.plural(), e.toString());
                Thread.sleep(RETRY_MS);
            }
        }
    }

    private void list(Consumer<Raw> changed) {
        Raw answer = api.get(path);
        List<Raw> told = new ArrayList<>(all());
        Map<String, Map<String, Raw>> listed = new ConcurrentHashMap<>();
        for (Raw thing : Snapshots.items(answer)) {
            put(listed, thing);
            told.add(thing);
        }
        objects = listed;
        version = answer.string("metadata", "resourceVersion");
        filled.countDown();
        told.forEach(changed);
    }

    private void take(Raw event, Consumer<Raw> changed) {
        Raw object = event.get("object");
        if (object == null) {
            return;
        }
        Raw thing = object.copy();
        String type = event.string("type");
        switch (type) {
            case "ERROR" -> throw new ApiException((int) thing.int64("code"), thing);
            case "DELETED" -> objects.getOrDefault(namespace(thing), Map.of()).remove(name(thing));
            case "ADDED", "MODIFIED" -> put(objects, thing);
            default -> {} // a bookmark has a version only
        }
        version = thing.string("metadata", "resourceVersion");
        if (!type.equals("BOOKMARK")) {
            changed.accept(thing);
        }
    }

    private static void put(Map<String, Map<String, Raw>> into, Raw thing) {
        into.computeIfAbsent(namespace(thing), namespace -> new ConcurrentHashMap<>())
                .put(name(thing), thing);
    }

    private static String namespace(Raw thing) {
        return thing.string("metadata", "namespace");
    }

    private static String name(Raw thing) {
        return thing.string("metadata", "name");
    }
}
