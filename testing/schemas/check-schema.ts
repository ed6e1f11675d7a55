import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What a schema of this folder finds wrong, by Debian's python3-jsonschema; empty where nothing is. */
export function checkSchema(schema: string, value: unknown): readonly string[] {
  const program = fileURLToPath(new URL('check.py', import.meta.url))
  const done = spawnSync('/usr/bin/python3', ['-W', 'ignore', program, schema], {
    input: JSON.stringify(value),
    encoding: 'utf8',
  })
  if (done.status !== 0) throw new Error(`the schema could not be asked: ${done.stderr}`)
  return done.stdout.split('\n').filter((line) => line !== '')
}
