"""The tables of a snapshot: what pods, claims and revisions share is sent once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from setplan.v1.snapshot_pb2 import AnnotationSet, ClaimStorage, LabelSet, OwnerReference, OwnerSet, VolumeSet
from setplan.v1.snapshot_pb2 import Tables as TablesMessage

ANNOTATION_PREFIX = "setplan.io/"


class Tables:
    """Collects the entries. The first entry of each table is empty, so that index 0, the value of an unset field, means none."""

    def __init__(self) -> None:
        self.message = TablesMessage()
        self._places: dict[Hashable, int] = {}

    def labels(self, labels: Mapping[str, str]) -> int:
        """Return the index of these labels."""
        return self._at(self.message.label_sets, LabelSet(), LabelSet(labels=labels), _pairs(labels), bool(labels))

    def owners(self, references: Sequence[Mapping[str, Any]]) -> int:
        """Return the index of these owner references, in the object's order."""
        owners = [
            OwnerReference(
                api_version=r.get("apiVersion", ""),
                kind=r.get("kind", ""),
                name=r.get("name", ""),
                uid=r.get("uid", ""),
                controller=bool(r.get("controller")),
                block_owner_deletion=bool(r.get("blockOwnerDeletion")),
            )
            for r in references
        ]
        key = tuple(owner.SerializeToString() for owner in owners)
        return self._at(self.message.owner_sets, OwnerSet(), OwnerSet(owners=owners), key, bool(owners))

    def revision_name(self, name: str | None) -> int:
        """Return the index of the value of the label controller-revision-hash; None is a pod without the label."""
        return self._at(self.message.revision_names, "", name, name, name is not None)

    def volumes(self, names: Sequence[str]) -> int:
        """Return the index of these volumes."""
        return self._at(self.message.volume_sets, VolumeSet(), VolumeSet(volumes=names), tuple(names), bool(names))

    def annotations(self, annotations: Mapping[str, str]) -> int:
        """Return the index of those annotations that a snapshot carries: all under our prefix, known or not, and no others (D5)."""
        own = {key: text for key, text in annotations.items() if key.startswith(ANNOTATION_PREFIX)}
        return self._at(self.message.annotation_sets, AnnotationSet(), AnnotationSet(annotations=own), _pairs(own), bool(own))

    def claim_storage(self, storage: ClaimStorage) -> int:
        """Return the index of what a claim asks for and has."""
        key = storage.SerializeToString(deterministic=True)
        return self._at(self.message.claim_storages, ClaimStorage(), storage, key, bool(key))

    def _at(self, table: Any, empty: object, entry: object, key: Hashable, there: bool) -> int:
        if not there:
            return 0
        place = (type(empty), key)
        if place not in self._places:
            if len(table) == 0:
                table.append(empty)
            table.append(entry)
            self._places[place] = len(table) - 1
        return self._places[place]


def _pairs(of: Mapping[str, str]) -> Hashable:
    return tuple(sorted(of.items()))
