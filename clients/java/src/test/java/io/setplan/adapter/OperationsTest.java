package io.setplan.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.setplan.v1.Action;
import io.setplan.v1.ContainerImage;
import io.setplan.v1.ResizePod;
import io.setplan.v1.UpdatePod;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperationsTest {
    @Test
    void theFenceIsCheckedAgainBeforeContainersStartAnew() {
        ContainerImage image = ContainerImage.getDefaultInstance();
        UpdatePod.Builder update = UpdatePod.newBuilder();
        Map.of(
                        Action.newBuilder().setUpdatePod(update), false,
                        Action.newBuilder().setUpdatePod(update.clone().addContainers(image)), true,
                        Action.newBuilder().setUpdatePod(update.clone().addInitContainers(image)), true,
                        Action.newBuilder().setResizePod(ResizePod.getDefaultInstance()), true)
                .forEach((action, fenced) ->
                        assertEquals(fenced, Operations.deletes(action.build()), action.toString()));
    }
}
