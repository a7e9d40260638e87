"""An operator that only writes its objects: it makes a Database of each Postgres, and Setplan runs it. It needs kubectl, and nothing else."""

import json
import subprocess
import time


def kubectl(*words: str, text: str | None = None) -> str:
    return subprocess.run(["kubectl", *words], input=text, check=True, capture_output=True, text=True).stdout


def database(postgres: dict) -> dict:
    name, spec, labels = postgres["metadata"]["name"], postgres["spec"], {"app": postgres["metadata"]["name"]}
    return {
        "apiVersion": "databases.example.com/v1",
        "kind": "Database",
        "metadata": {
            "name": name,
            "namespace": postgres["metadata"]["namespace"],
            "annotations": {"setplan.io/update-rank": "role=primary"},  # the primary is updated last
            "ownerReferences": [{"apiVersion": postgres["apiVersion"], "kind": postgres["kind"], "name": name,
                                 "uid": postgres["metadata"]["uid"], "controller": True, "blockOwnerDeletion": True}],
        },
        "spec": {
            "replicas": spec["members"],
            "serviceName": name,
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "postgres", "image": f"postgres:{spec['version']}", "volumeMounts": [{"name": "data", "mountPath": "/data"}]}]},
            },
            "volumeClaimTemplates": [{
                "metadata": {"name": "data"},
                "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": spec["storage"]}}},
            }],
        },
    }


def reconcile(namespace: str, name: str) -> None:
    found = kubectl("-n", namespace, "get", "postgres", name, "-o", "json", "--ignore-not-found")
    if found and "deletionTimestamp" not in (postgres := json.loads(found))["metadata"]:
        print(kubectl("apply", "--server-side", "--field-manager=postgres-operator", "-f", "-", text=json.dumps(database(postgres))), end="", flush=True)


def main() -> None:
    line = 'jsonpath={.metadata.namespace} {.metadata.name}{"\\n"}'
    while True:  # a watch begins with all that exist, so a new one makes up for what failed
        watch = subprocess.Popen(["kubectl", "get", "postgreses", "-A", "--watch", "-o", line], stdout=subprocess.PIPE, text=True)
        try:
            for event in watch.stdout:
                reconcile(*event.split())
        except subprocess.CalledProcessError as error:
            print(error.stderr, end="", flush=True)
        watch.kill()
        time.sleep(1)


if __name__ == "__main__":
    main()
