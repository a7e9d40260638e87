package io.setplan.adapter.verify;

import io.setplan.adapter.verify.Updating.Step;
import io.setplan.v1.Container;
import io.setplan.v1.ContainerResize;
import io.setplan.v1.PodContainers;
import io.setplan.v1.ResizePod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The checks of resources in place: a start notes what the containers had, and a resize then gives them what the revision asks for. */
final class ResourceChecks {
    private ResourceChecks() {}

    /** Lets what is under way say of the resources what the snapshot shows. */
    static String podResources(Subject s) {
        Updating does = Updating.of(s);
        UnderWay under = UnderWay.of(s.view, s.pod());
        return switch (does.step()) {
            case RELABELS -> "";
            case FINISHES -> finished(s, under);
            case STARTS, NOTES -> record(s, does, under);
        };
    }

    private static String record(Subject s, Updating does, UnderWay under) {
        boolean notes = does.step() == Step.NOTES;
        Recorded noted = Recorded.in(does.record());
        Map<Amount, String> wanted = new HashMap<>(Recorded.in(under.record()).had());
        boolean restarted = under.record().members().containsKey("restarts");
        boolean restarts = does.record().members().containsKey("restarts");
        boolean anew = notes && restarted;
        if (!notes) {
            Json old = s.view.stored(UnderWay.runs(s.view, s.pod())).orElse(Json.Word.NULL);
            Resources apart = Resources.apartFrom(old, s.view.templateOf(does.to()));
            anew = apart.restarts();
            for (Amount of : apart.changed()) {
                Optional<Container> container = shown(s, of.container());
                if (container.isEmpty()) {
                    return "the pod lacks a container whose resources change";
                }
                wanted.put(of, of.shown(container.get()));
            }
        }
        if (!noted.isRight() || !does.record().isTrueOrNone("restarts")) {
            return "what is under way has another form";
        }
        if (!noted.had().equals(wanted)) {
            return "what is under way is not what the snapshot shows of the resources that change";
        }
        boolean says = anew ? restarts : !restarts || (restarted && !notes);
        return says ? "" : "what is under way does not say whether containers start anew for their resources";
    }

    /** Lets the label follow when the pod's spec has what the revision asks for, or what somebody else has put there since. */
    private static String finished(Subject s, UnderWay under) {
        Json template = s.view.templateOf(under.revision());
        for (Map.Entry<Amount, String> entry : Recorded.in(under.record()).had().entrySet()) {
            Amount of = entry.getKey();
            Json wanted = of.askedIn(template);
            Optional<String> shown = shown(s, of.container()).map(of::shown);
            boolean isWritten = shown.isPresent()
                    && (wanted.isNull()
                            || !Quantity.isSame(shown.get(), entry.getValue())
                            || Quantity.isSame(shown.get(), Amount.text(wanted)));
            if (!isWritten) {
                return of.words() + " are not what the revision asks for";
            }
        }
        return "";
    }

    /** Finds a container that the snapshot shows of the pod. */
    private static Optional<Container> shown(Subject s, String name) {
        PodContainers shown = s.pod().getContainers();
        return Stream.concat(shown.getContainersList().stream(), shown.getInitContainersList().stream())
                .filter(container -> container.getName().equals(name))
                .findFirst();
    }

    /** Lets containers get what the revision asks for to which their pod is on its way, and nothing that nobody has noted. */
    static String podResize(Subject s) {
        SetView view = s.view;
        UnderWay under = UnderWay.of(view, s.pod());
        Recorded noted = Recorded.in(under.record());
        String to = under.revision();
        String why = UnderWay.inPlace(s);
        if (!why.isEmpty()) {
            return why;
        }
        if (to.isEmpty() || !noted.isRight()) {
            return "no resources of the pod are under way";
        }
        if (!s.pod().hasContainers()) {
            return "the snapshot does not show what runs in the pod";
        }
        Json template = view.templateOf(to);
        boolean isKnown = view.revisions.containsKey(to) || view.made.contains(to);
        if (!isKnown || template.isNothing()) {
            return "the revision %s is neither in the snapshot nor made by the plan, or it cannot be read"
                    .formatted(Json.quote(to));
        }
        ResizePod resize = s.action.getResizePod();
        PodContainers shown = s.pod().getContainers();
        why = resizes(resize.getContainersList(), shown.getContainersList(), noted.had(), template);
        if (why.isEmpty()) {
            why = resizes(resize.getInitContainersList(), shown.getInitContainersList(), noted.had(), template);
        }
        boolean changes = Stream.concat(resize.getContainersList().stream(), resize.getInitContainersList().stream())
                .anyMatch(one -> one.getLimitsCount() + one.getRequestsCount() > 0);
        return why.isEmpty() && !changes ? "nothing changes" : why;
    }

    private static String resizes(
            List<ContainerResize> resizes, List<Container> shown, Map<Amount, String> had, Json template) {
        if (!resizes.isEmpty() && resizes.size() != shown.size()) {
            return "the resources are not those of all containers of the pod";
        }
        for (int i = 0; i < resizes.size(); i++) {
            Container container = shown.get(i);
            if (!resizes.get(i).getName().equals(container.getName())) {
                return "the containers are not in the order of the pod";
            }
            for (Map.Entry<Amount, String> entry : Amount.of(resizes.get(i)).entrySet()) {
                Amount of = entry.getKey();
                String was = had.get(of);
                if (was == null || !Quantity.isSame(was, of.shown(container))) {
                    return of.words() + " are not what is under way";
                }
                Json wanted = of.askedIn(template);
                if (wanted.isNull() || !Quantity.isSame(entry.getValue(), Amount.text(wanted))) {
                    return of.words() + " are not what the revision asks for";
                }
            }
        }
        return "";
    }
}
