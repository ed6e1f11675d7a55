"""check-kubernetes.py: the objects of stdin (a list in JSON) against Kubernetes' own description of its API, as its official Python client carries it
(Debian's python3-kubernetes): fields that no kind has, values of another type, required ones that are missing; a line each."""
import json, re, sys
from kubernetes.client import models

scalars = {"str": str, "int": int, "bool": bool, "float": (int, float), "object": object}


def faults_of(kind, value, at):
    if value is None:
        return []
    if match := re.fullmatch(r"list\[(.+)\]", kind):
        if not isinstance(value, list):
            return [f"{at}: {type(value).__name__} where a list belongs"]
        return [each for index, one in enumerate(value) for each in faults_of(match[1], one, f"{at}/{index}")]
    if match := re.fullmatch(r"dict\(str, (.+)\)", kind):
        if not isinstance(value, dict):
            return [f"{at}: {type(value).__name__} where names with values belong"]
        # A quantity, as of memory, may be a number.
        return [each for name, one in value.items() for each in faults_of(match[1], str(one) if at.endswith(("/limits", "/requests")) else one, f"{at}/{name}")]
    if kind in ("datetime", "date"):
        kind = "str"
    if kind in scalars:
        fits = isinstance(value, scalars[kind]) and (kind in ("bool", "object") or not isinstance(value, bool))
        return [] if fits else [f"{at}: {type(value).__name__} where {kind} belongs"]
    model = getattr(models, kind)
    if not isinstance(value, dict):
        return [f"{at}: {type(value).__name__} where {kind} belongs"]
    fields = {outside: (inside, model.openapi_types[inside]) for inside, outside in model.attribute_map.items()}
    found = [f"{at}/{name}: {kind} has no such field" for name in value if name not in fields]
    known = {name: one for name, one in value.items() if name in fields}
    for name, one in known.items():
        found += faults_of(fields[name][1], one, f"{at}/{name}")
    try:
        # Its setters refuse what is required and missing, and what is none of the values that a field may have.
        model(**{fields[name][0]: one for name, one in known.items()})
    except ValueError as error:
        found.append(f"{at}: {error}")
    return found


for value in json.load(sys.stdin):
    version = value["apiVersion"].rpartition("/")[2]
    name = (version[0].upper() + version[1:]) + value["kind"]
    at = f"{value['kind']} {value['metadata']['name']}"
    if not hasattr(models, name):
        print(f"{at}: no kind of {value['apiVersion']}")
        continue
    for fault in faults_of(name, value, at):
        print(fault)
