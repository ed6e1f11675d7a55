// `npm run check`: types, lint, format, boundaries, generated documents, dead code. Every check runs; the exit code tells whether all passed.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pinnedNode, root, say, setUp } from './set-up.mjs'

const binary = (name) => join(root, 'node_modules', '.bin', name)
/** @type {[string, string[]][]} */
const checks = [
  ['types', [binary('tsc'), '-b', 'tsconfig.json']],
  ['lint', [binary('oxlint'), '--deny-warnings', '.']],
  ['format', [binary('oxfmt'), '--check', '.']],
  ['boundaries', [pinnedNode, 'tools/check-boundaries.ts']],
  ['documents', [pinnedNode, 'tools/write-documents.ts', '--check']],
  ['dead code', [binary('knip'), '--no-progress']],
]

/** @returns {{passed: number, failed: number}} */
export function check() {
  const result = { passed: 0, failed: 0 }
  for (const [name, [command = '', ...args]] of checks) {
    const path = `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`
    const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path } })
    const ok = done.status === 0
    say(`${ok ? 'ok    ' : 'FAILED'} ${name}`)
    result[ok ? 'passed' : 'failed'] += 1
  }
  return result
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  setUp({ tests: true })
  process.exit(check().failed === 0 ? 0 : 1)
}
