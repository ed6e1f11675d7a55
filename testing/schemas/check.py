"""check.py SCHEMA: the JSON of stdin against a schema of this folder; what is wrong, a line each."""
import json, pathlib, sys
import jsonschema

folder = pathlib.Path(__file__).parent
load = lambda name: json.loads((folder / name).read_text())
schema = load(sys.argv[1])
store = {}
for path in folder.glob('*.json'):
    other = json.loads(path.read_text())
    if '$id' in other:
        store[other['$id']] = other
    # One names another by a file beside it, whatever its name here.
    base = schema.get('$id', '').rsplit('/', 1)[0]
    for suffix in ('.schema.json', '.SNAPSHOT.schema.json'):
        store[f"{base}/{path.name.removesuffix('.schema.json')}{suffix}"] = other
kind = jsonschema.validators.validator_for(schema)
resolver = jsonschema.RefResolver.from_schema(schema, store=store)
faults = [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:300]}" for e in kind(schema, resolver=resolver).iter_errors(json.load(sys.stdin))]
print('\n'.join(faults))
