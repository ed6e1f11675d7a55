// `npm run check`: types, lint, format, boundaries, generated documents, dead code. Every check runs; the exit code tells whether all passed.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pinnedNode, root, say, setUp } from './set-up.mjs'

const binary = (name) => join(root, 'node_modules', '.bin', name)
/** What takes longest is begun first. @type {[string, string[]][]} */
const checks = [
  ['lint', [binary('oxlint'), '--deny-warnings', '.']],
  ['types', [binary('tsc'), '-b', 'tsconfig.json']],
  ['format', [binary('oxfmt'), '--check', '.']],
  ['boundaries', [pinnedNode, 'tools/check-boundaries.ts']],
  ['documents', [pinnedNode, 'tools/write-documents.ts', '--check']],
  ['dead code', [binary('knip'), '--no-progress']],
]

/** Most have one thread: as many run at once as there are processors. What each prints is told in one piece. @returns {Promise<{passed: number, failed: number}>} */
export async function check() {
  const result = { passed: 0, failed: 0 }
  const waiting = checks.values()
  const runSome = async () => {
    for (const [name, command] of waiting) {
      const { status, output } = await run(command)
      if (output !== '') process.stdout.write(output)
      say(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}`)
      result[status === 0 ? 'passed' : 'failed'] += 1
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, runSome))
  return result
}

/** @param {string[]} command */
async function run([command = '', ...args]) {
  const path = `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`
  const started = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, PATH: path } })
  let output = ''
  for (const stream of [started.stdout, started.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const status = await new Promise((resolve) => {
    started.once('error', (error) => {
      output += `${error.message}\n`
      resolve(null)
    })
    started.once('close', resolve)
  })
  return { status, output }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  setUp({ tests: true })
  process.exit((await check()).failed === 0 ? 0 : 1)
}
