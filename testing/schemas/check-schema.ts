import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

function ask(program: string, args: readonly string[], value: unknown): readonly string[] {
  const path = fileURLToPath(new URL(program, import.meta.url))
  const done = spawnSync('/usr/bin/python3', ['-W', 'ignore', path, ...args], { input: JSON.stringify(value), encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`the schema could not be asked: ${done.stderr}`)
  return done.stdout.split('\n').filter((line) => line !== '')
}

/** What a schema of this folder finds wrong, by Debian's python3-jsonschema; empty where nothing is. */
export const checkSchema = (schema: string, value: unknown): readonly string[] => ask('check.py', [schema], value)

/** What Kubernetes' description of its API finds wrong in objects, as Debian's python3-kubernetes carries it: that of version 1.22. */
export const checkKubernetes = (objects: readonly unknown[]): readonly string[] => ask('check-kubernetes.py', [], objects)
