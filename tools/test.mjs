// `npm test`: sets up what is missing, then every check and every test (run-options.mjs: or part of them). Closes with the counts of all of them together.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './build.mjs'
import { check } from './check.mjs'
import { readPlaywright, readVitest, tooLong } from './read-report.mjs'
import { readOptions } from './run-options.mjs'
import { keepCompiled, pinnedNode, root, say, setUp } from './set-up.mjs'

const isRunning = (pid) => existsSync(`/proc/${pid}`)

/** A folder for all temporary files of a run: whatever a test leaves goes with it, and what a killed run left goes with the next. */
function makeFolder() {
  for (const name of readdirSync(tmpdir())) {
    const owner = /^probant-test-(\d+)-/.exec(name)?.[1]
    if (owner === undefined || isRunning(owner)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // Another user's: it goes with his next run.
    }
  }
  const made = mkdtempSync(join(tmpdir(), `probant-test-${process.pid}-`))
  // As /tmp itself: browsers and databases run as users of their own.
  chmodSync(made, 0o1777)
  return made
}

let options
try {
  options = readOptions(process.argv.slice(2), root)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exit(2)
}
setUp({ tests: true })
const folder = makeFolder()
const total = { passed: 0, failed: 0, skipped: 0 }
const environment = {
  ...keepCompiled,
  ...process.env,
  PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
  TMPDIR: folder,
  // Not a single file, or those that somebody names: vitest.config.ts.
  ALL_TESTS: '1',
}

let runner
let interrupted = false
// The terminal sends Ctrl-C to the whole group; other signals come to this process alone. The runner ends what it started.
process.on('SIGINT', () => (interrupted = true))
for (const signal of ['SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    interrupted = true
    runner?.kill('SIGINT')
  })

/** @type {{ test: string, why: readonly string[] }[]} */
const failures = []
const times = []

async function runTests(name, script, args, read) {
  // Signals that came while a check or the build held this process are heard first.
  await new Promise((resolve) => setImmediate(resolve))
  if (interrupted) return
  const output = join(folder, `${name}.json`)
  // Should this process be killed, the runner is interrupted, and ends what it started.
  runner = spawn('setpriv', ['--pdeathsig', 'INT', pinnedNode, join(root, script), ...args(output)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: output },
  })
  const status = await new Promise((resolve) => {
    runner.once('error', () => resolve(null))
    runner.once('exit', resolve)
  })
  const nothing = { counts: { passed: 0, failed: 0, skipped: 0 }, failed: [], files: [] }
  const { counts, failed, files } = existsSync(output) ? read(JSON.parse(readFileSync(output, 'utf8')), root) : nothing
  // A runner that died has failed whatever it counted, and so has one that executed nothing, unless a change touches nothing of it.
  const ran = counts.passed + counts.failed
  if ((status !== 0 && counts.failed === 0) || (ran === 0 && options.since === null)) counts.failed += 1
  say(
    `${counts.failed === 0 ? 'ok    ' : 'FAILED'} ${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
  )
  for (const key of Object.keys(total)) total[key] += counts[key]
  failures.push(...failed)
  times.push(...files)
  const slowest = options.times ? files : files.slice(0, 10)
  if (slowest.length > 0)
    say(`the slowest: ${slowest.map(({ file, ms }) => `${file} ${Math.round(ms / 1000)} s`).join(options.times ? '\n' : ', ')}`)
}

try {
  const checked = await check()
  total.passed += checked.passed
  total.failed += checked.failed
  build()
  // Many tests start programs and kill them, and what is killed keeps nothing of what it compiled: it is compiled once before.
  const roles = "for (const role of ['web', 'worker', 'capture']) await import(`./apps/server/roles/${role}.ts`)"
  spawnSync(pinnedNode, ['--input-type=module', '-e', roles], { cwd: root, stdio: 'inherit', env: environment })
  await runTests(
    'unit and integration tests',
    'node_modules/vitest/vitest.mjs',
    (output) => [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${output}`,
      ...(options.since === null ? [] : [`--changed=${options.since}`, '--passWithNoTests']),
    ],
    readVitest,
  )
  await runTests(
    'journeys in the browser',
    'node_modules/@playwright/test/cli.js',
    () => [
      'test',
      '--reporter=list,json',
      ...(options.since === null ? [] : [`--only-changed=${options.since}`, '--pass-with-no-tests']),
    ],
    readPlaywright,
  )
  if (options.since === null && !interrupted) {
    const long = tooLong(times)
    failures.push(...long.map((test) => ({ test, why: [] })))
    total.failed += long.length
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
// Once more at the end, where they are looked for; why, of the first: where many failed, they failed of one thing.
for (const [at, { test, why }] of failures.entries()) {
  say(`FAILED ${test}`)
  if (at < 10) for (const line of why) say(`         ${line}`)
}
say(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.failed === 0 && !interrupted ? 0 : 1)
