package io.setplan.kube;

import io.setplan.adapter.GoneException;
import io.setplan.adapter.Key;
import io.setplan.adapter.SetIdentity;
import io.setplan.adapter.Source;
import io.setplan.adapter.Write;
import io.setplan.rawjson.Raw;
import io.setplan.snapshot.Membership;
import io.setplan.snapshot.Objects;
import io.setplan.snapshot.Snapshots;
import io.setplan.v1.Coverage;
import io.setplan.v1.Snapshot;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads sets from the caches of sets, pods, claims and revisions, in one namespace or in all, or from the API server if required. */
public final class CachedSource implements Source, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CachedSource.class);
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    private final Api api;
    private final Consumer<Error> broken;
    private final Guard guard = new Guard();
    private final Cache sets;
    private final Cache pods;
    private final Cache claims;
    private final Cache revisions;
    private final List<Cache> caches;
    private final List<Thread> threads = new ArrayList<>();

    /**
     * Makes the caches; {@link #start} fills them. An {@link Error} in one of their threads, such as a lack of memory, ends the process: it
     * would go on with a cache that stands still.
     *
     * @param api the cluster
     * @param namespace null for all
     */
    public CachedSource(Api api, @Nullable String namespace) {
        this(api, namespace, CachedSource::endProcess);
    }

    CachedSource(Api api, @Nullable String namespace, Consumer<Error> broken) {
        this.api = api;
        this.broken = broken;
        this.sets = cache(Resource.SETS, namespace);
        this.pods = cache(Resource.PODS, namespace);
        this.claims = cache(Resource.CLAIMS, namespace);
        this.revisions = cache(Resource.REVISIONS, namespace);
        this.caches = List.of(sets, pods, claims, revisions);
    }

    private static void endProcess(Error error) {
        try {
            LOG.error("a cache is broken, and the process ends", error);
        } finally {
            Runtime.getRuntime().halt(1); // what is asked to end in order may need what is lacking
        }
    }

    private Cache cache(Resource resource, @Nullable String namespace) {
        return new Cache(api, resource, namespace == null ? resource.path() : resource.path(namespace));
    }

    /**
     * Begins to keep the caches current, and waits until all have their lists. These are as new as this call: what an earlier process wrote
     * is in them.
     *
     * @param changed is told of the sets that something has changed for, by the threads of the caches: {@link Queue#add}
     * @throws InterruptedException the thread was interrupted
     */
    public void start(Consumer<Key> changed) throws InterruptedException {
        for (Cache cache : caches) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            cache.run(
                                    thing -> concerned(cache.resource(), thing).forEach(changed));
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt(); // closed
                        } catch (Error e) {
                            broken.accept(e);
                        }
                    },
                    "cache of " + cache.resource().plural());
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        for (Cache cache : caches) {
            cache.awaitFilled();
        }
    }

    /** Ends the caches. */
    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }

    /** {@return the cache of sets} */
    public Cache sets() {
        return sets;
    }

    /** Lists the sets that an object may concern: its owners', by its name, and of a claim those that might use it. */
    Set<Key> concerned(Resource resource, Raw thing) {
        String namespace = thing.string("metadata", "namespace");
        String name = thing.string("metadata", "name");
        Set<String> names = new HashSet<>();
        if (resource.equals(Resource.SETS)) {
            names.add(name);
        } else {
            thing.list("metadata", "ownerReferences").forEach(owner -> names.add(owner.string("name")));
            String base = name.substring(0, Math.max(name.lastIndexOf('-'), 0));
            if (resource.equals(Resource.CLAIMS)) {
                sets.of(namespace).stream()
                        .map(set -> set.string("metadata", "name"))
                        .filter(set -> base.endsWith("-" + set))
                        .forEach(names::add);
            } else {
                names.add(base);
            }
        }
        names.remove("");
        return names.stream().map(set -> new Key(namespace, set)).collect(Collectors.toSet());
    }

    @Override
    public Snapshot snapshot(Key key) {
        Coverage coverage = Coverage.newBuilder()
                .setPods(pods.isComplete(key.namespace()))
                .setClaims(claims.isComplete(key.namespace()))
                .setRevisions(revisions.isComplete(key.namespace()))
                .setPodsVersion(pods.version())
                .setClaimsVersion(claims.version())
                .setRevisionsVersion(revisions.version())
                .build();
        String here = key.namespace();
        Objects objects = new Objects(checked(key), pods.of(here), claims.of(here), revisions.of(here), sets.of(here));
        return Snapshots.of(objects, coverage, Instant.now());
    }

    @Override
    public SetIdentity set(Key key) {
        Raw set = checked(key);
        return identity(
                set,
                SetIdentity.neighboursOf(
                        Membership.neighbours(set, sets.of(key.namespace()), revisions.of(key.namespace()))));
    }

    @Override
    public SetIdentity liveSet(Key key) {
        return live(Resource.SETS.path(key.namespace(), key.name()))
                .map(set -> identity(set, ""))
                .orElseThrow(() -> new GoneException(key + " is gone"));
    }

    /**
     * {@inheritDoc}
     *
     * <p>A write is shown when the cache has read its kind up to it, whatever became of the object since: one that was deleted right after
     * we created it may never show.
     */
    @Override
    public boolean observed(Key key, Write write) {
        Cache cache = of(write.kind());
        Optional<Raw> found = cache.get(key.namespace(), write.name());
        if (write.deleted()) {
            return found.map(thing -> thing.get("metadata", "deletionTimestamp") != null
                            || !thing.string("metadata", "uid").equals(write.uid()))
                    .orElse(true);
        }
        return isAtLeast(cache.version(), write.resourceVersion())
                || isAtLeast(found.map(CachedSource::version).orElse(""), write.resourceVersion());
    }

    /**
     * {@inheritDoc}
     *
     * <p>The cache is read second, so that what it has shown meanwhile counts.
     */
    @Override
    public boolean current(Key key, Write write) {
        Cache cache = of(write.kind());
        Optional<Raw> live = live(cache.resource().path(key.namespace(), write.name()));
        return live.map(CachedSource::incarnation)
                .equals(cache.get(key.namespace(), write.name()).map(CachedSource::incarnation));
    }

    /**
     * {@return the conditions of a set as stored at a resource version; empty if the cache has another one}
     *
     * @param key the set
     * @param version the resource version
     */
    public Optional<List<Raw>> conditions(Key key, String version) {
        Raw set = cached(key);
        return version(set).equals(version) ? Optional.of(set.list("status", "conditions")) : Optional.empty();
    }

    /**
     * {@return a set as the API server sent it}
     *
     * @param key the set
     * @throws GoneException there is no such set
     */
    public Raw cached(Key key) {
        return sets.get(key.namespace(), key.name()).orElseThrow(() -> new GoneException(key + " is gone"));
    }

    private Raw checked(Key key) {
        if (!sets.isComplete(key.namespace())) { // it might be this one, or a neighbour
            throw new IllegalStateException("a set of the namespace " + key.namespace() + " cannot be read");
        }
        try {
            Raw set = cached(key);
            guard.check(key, set);
            return set;
        } catch (GoneException e) {
            guard.forget(key);
            throw e;
        }
    }

    private Optional<Raw> live(String path) {
        try {
            return Optional.of(api.get(path));
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Cache of(String kind) {
        return caches.stream()
                .filter(cache -> cache.resource().kind().equals(kind))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no cache of " + kind));
    }

    private static SetIdentity identity(Raw set, String neighbours) {
        return new SetIdentity(
                set.string("metadata", "uid"),
                set.int64("metadata", "generation"),
                SetIdentity.policyOf(set.strings("metadata", "annotations")),
                set.get("metadata", "deletionTimestamp") != null,
                neighbours);
    }

    private static String version(Raw thing) {
        return thing.string("metadata", "resourceVersion");
    }

    private static String incarnation(Raw thing) {
        return thing.string("metadata", "uid") + " " + version(thing);
    }

    /** Compares versions of one kind. Versions that are no numbers can only be equal. */
    private static boolean isAtLeast(String seen, String wanted) {
        if (NUMBER.matcher(seen).matches() && NUMBER.matcher(wanted).matches()) {
            return new BigInteger(seen).compareTo(new BigInteger(wanted)) >= 0;
        }
        return seen.equals(wanted);
    }
}
