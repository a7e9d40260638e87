package io.setplan.adapter.verify;

import io.setplan.adapter.verify.Updating.Step;
import io.setplan.v1.Container;
import io.setplan.v1.ContainerImage;
import io.setplan.v1.PodContainers;
import io.setplan.v1.UpdatePod;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The check of images in place. */
final class ImageChecks {
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,11}");

    private ImageChecks() {}

    /**
     * Lets images be the template's where the revisions differ, and otherwise stay. What is under way is what the snapshot
     * shows, and the label comes when it is over.
     */
    static String podImages(Subject s) {
        UpdatePod update = s.action.getUpdatePod();
        Updating does = Updating.of(s);
        UnderWay under = UnderWay.of(s.view, s.pod());
        String label = update.getLabelsOrDefault(Names.LABEL_REVISION, s.view.revisionName(s.pod()));
        if (under.isBroken()) {
            return "nobody can read what is under way in the pod";
        }
        if (does.step() != Step.STARTS && update.getContainersCount() + update.getInitContainersCount() > 0) {
            return "images change, and nothing says what is under way";
        }
        return switch (does.step()) {
            case RELABELS -> under.revision().isEmpty() ? "" : "the pod is on its way to a revision";
            case FINISHES ->
                label.equals(does.to()) ? "" : "the label is not the revision that the pod was on its way to";
            case STARTS, NOTES ->
                s.pod().hasContainers() ? shown(s, does, under) : "the snapshot does not show what runs in the pod";
        };
    }

    private static String shown(Subject s, Updating does, UnderWay under) {
        UpdatePod update = s.action.getUpdatePod();
        SetView view = s.view;
        if (does.step() == Step.NOTES) {
            return record(s, does, under, Map.of(), Map.of());
        }
        Json old = view.stored(UnderWay.runs(view, s.pod())).orElse(Json.Word.NULL);
        Json next = view.templateOf(does.to());
        Templates templates = Templates.apartFromImages(old, next);
        Map<String, String> changed = templates.containers();
        Map<String, String> changedInit = templates.initContainers();
        boolean noneDiffers = changed.isEmpty()
                && changedInit.isEmpty()
                && Resources.apartFrom(old, next).changed().isEmpty();
        if (noneDiffers && under.revision().isEmpty()) {
            return "the templates differ in no image, and in no resource";
        }
        PodContainers shown = s.pod().getContainers();
        String why = images(update.getContainersList(), shown.getContainersList(), changed);
        if (why.isEmpty()) {
            why = images(update.getInitContainersList(), shown.getInitContainersList(), changedInit);
        }
        return why.isEmpty() ? record(s, does, under, changed, changedInit) : why;
    }

    /** Compares a list of images with the pod's containers. A list in which nothing changes may be left out. */
    private static String images(List<ContainerImage> images, List<Container> shown, Map<String, String> changed) {
        if (images.isEmpty() && changed.isEmpty()) {
            return "";
        }
        if (images.size() != shown.size()) {
            return "the images are not those of all containers of the pod";
        }
        for (int i = 0; i < shown.size(); i++) {
            String name = shown.get(i).getName();
            if (!images.get(i).getName().equals(name)) {
                return "the containers are not in the order of the pod";
            }
            if (!images.get(i)
                    .getImage()
                    .equals(changed.getOrDefault(name, shown.get(i).getImage()))) {
                return "the image of the container %s is not what the templates differ in".formatted(Json.quote(name));
            }
        }
        boolean has = changed.keySet().stream()
                .allMatch(name -> shown.stream().anyMatch(one -> one.getName().equals(name)));
        return has ? "" : "the pod lacks a container whose image changes";
    }

    /**
     * Compares what is under way with what the snapshot shows of each container whose image changes. What was under way before
     * stays in it, as it was; a note may say of it what the snapshot shows now.
     */
    private static String record(
            Subject s, Updating does, UnderWay under, Map<String, String> changed, Map<String, String> changedInit) {
        Json noted = does.record().get("containers");
        boolean notes = does.step() == Step.NOTES;
        if (!isRecord(does.record()) || does.record().get("seen").isNull() == notes) {
            return "what is under way has another form";
        }
        PodContainers shown = s.pod().getContainers();
        Set<String> names = Stream.concat(shown.getContainersList().stream(), shown.getInitContainersList().stream())
                .map(Container::getName)
                .collect(Collectors.toSet());
        if (noted.members().entrySet().stream()
                .anyMatch(one -> !names.contains(one.getKey()) || one.getValue().isNull())) {
            return "what is under way names a container that the pod does not have";
        }
        Json before = under.record().get("containers");
        String why = entries(noted, before, notes, shown.getContainersList(), changed);
        return why.isEmpty() ? entries(noted, before, notes, shown.getInitContainersList(), changedInit) : why;
    }

    private static String entries(
            Json noted, Json before, boolean notes, List<Container> shown, Map<String, String> changed) {
        for (Container container : shown) {
            String name = container.getName();
            Json entry = noted.get(name);
            Json was = before.get(name);
            boolean right = entry.equals(was);
            if (changed.containsKey(name) || (notes && !was.isNull() && !right)) {
                right = tells(entry, container, was);
            }
            if (!right) {
                return "what is under way is not what the snapshot shows of the container %s"
                        .formatted(Json.quote(name));
            }
        }
        return "";
    }

    /** Reports whether a record has its form, but for its entries. */
    private static boolean isRecord(Json record) {
        return record.differing(Json.Word.NULL, Set.of("at", "containers", "resize", "restarts", "revision", "seen"))
                        .isEmpty()
                && record.get("at") instanceof Json.Numeral at
                && SECONDS.matcher(at.text()).matches()
                && record.get("containers") instanceof Json.Members
                && record.isTrueOrNone("seen");
    }

    /**
     * Reports whether an entry is what a container shows. Where there was an entry before, it also tells what ran when that
     * began.
     */
    private static boolean tells(Json entry, Container shown, Json was) {
        Json good = entry.get("good");
        boolean isShown = entry instanceof Json.Members
                && entry.differing(Json.Word.NULL, Set.of("id", "image", "good", "open"))
                        .isEmpty()
                && entry.isTrueOrNone("open")
                && ranAs(entry, shown.getContainerId(), shown.getImageId());
        if (was.isNull()) {
            return isShown && good.isNull() && entry.get("open").isNull();
        }
        Json first = was.get("good").isNull() ? was : was.get("good");
        return isShown
                && good.members().size() == 2
                && ranAs(good, first.get("id").string(), first.get("image").string());
    }

    private static boolean ranAs(Json value, String id, String image) {
        return value.get("id").is(id) && value.get("image").is(image);
    }
}
