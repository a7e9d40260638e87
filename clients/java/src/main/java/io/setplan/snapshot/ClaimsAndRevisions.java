package io.setplan.snapshot;

import com.google.protobuf.ByteString;
import io.setplan.rawjson.Raw;
import io.setplan.v1.Claim;
import io.setplan.v1.ClaimPhase;
import io.setplan.v1.ClaimStorage;
import io.setplan.v1.Revision;
import java.util.Map;

/** Claims and revisions. */
final class ClaimsAndRevisions {
    private static final Map<String, ClaimPhase> PHASES = Map.of(
            "Pending", ClaimPhase.CLAIM_PHASE_PENDING,
            "Bound", ClaimPhase.CLAIM_PHASE_BOUND,
            "Lost", ClaimPhase.CLAIM_PHASE_LOST);

    private ClaimsAndRevisions() {}

    static Claim claim(Tables tables, Raw claim) {
        return Claim.newBuilder()
                .setName(Fields.name(claim))
                .setUid(Fields.uid(claim))
                .setResourceVersion(Fields.version(claim))
                .setDeletionUnixMs(Fields.millis(claim, "metadata", "deletionTimestamp"))
                .setPhase(PHASES.getOrDefault(claim.string("status", "phase"), ClaimPhase.CLAIM_PHASE_UNSPECIFIED))
                .setOwnerSetIndex(tables.owners(Fields.owners(claim)))
                .setAnnotationSetIndex(tables.annotations(claim.strings("metadata", "annotations")))
                .setStorageIndex(tables.claimStorage(storage(claim)))
                .build();
    }

    /** Says what a claim asks for and what it has, with the texts of the API server. */
    private static ClaimStorage storage(Raw claim) {
        return ClaimStorage.newBuilder()
                .setRequest(claim.string("spec", "resources", "requests", "storage"))
                .setCapacity(claim.string("status", "capacity", "storage"))
                .setResizeStatus(claim.string("status", "allocatedResourceStatuses", "storage"))
                .setStorageClass(claim.string("spec", "storageClassName"))
                .setAttributesClass(claim.string("spec", "volumeAttributesClassName"))
                .setCurrentAttributesClass(claim.string("status", "currentVolumeAttributesClassName"))
                .setModifyStatus(claim.string("status", "modifyVolumeStatus", "status"))
                .addAllConditions(Fields.conditions(claim))
                .build();
    }

    /** Puts a revision into the contract's form. Its data is sent as it stands. */
    static Revision revision(Tables tables, Raw revision) {
        Raw data = revision.get("data");
        return Revision.newBuilder()
                .setName(Fields.name(revision))
                .setUid(Fields.uid(revision))
                .setResourceVersion(Fields.version(revision))
                .setNumber(revision.int64("revision"))
                .setOwnerSetIndex(tables.owners(Fields.owners(revision)))
                .putAllLabels(revision.strings("metadata", "labels"))
                .setCreatedUnixMs(Fields.millis(revision, "metadata", "creationTimestamp"))
                .setData(data == null ? ByteString.EMPTY : data.bytes())
                .build();
    }
}
