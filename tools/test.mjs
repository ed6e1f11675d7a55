// `npm test`: sets up what is missing, then every check and every test. Closes with the counts of all of them together.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './build.mjs'
import { check } from './check.mjs'
import { keepCompiled, pinnedNode, root, say, setUp } from './set-up.mjs'

setUp({ tests: true })
const folder = mkdtempSync(join(tmpdir(), 'probant-test-'))
const total = { passed: 0, failed: 0, skipped: 0 }

function runTests(name, script, args, readCounts) {
  const output = join(folder, `${name}.json`)
  const path = `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`
  const done = spawnSync(pinnedNode, [join(root, script), ...args(output)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...keepCompiled, ...process.env, PATH: path, PLAYWRIGHT_JSON_OUTPUT_NAME: output },
  })
  const counts = existsSync(output) ? readCounts(JSON.parse(readFileSync(output, 'utf8'))) : { passed: 0, failed: 0, skipped: 0 }
  // A runner that died, or that executed nothing, has failed whatever it counted.
  const ran = counts.passed + counts.failed
  if ((done.status !== 0 && counts.failed === 0) || ran === 0) counts.failed += 1
  say(
    `${counts.failed === 0 ? 'ok    ' : 'FAILED'} ${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
  )
  for (const key of Object.keys(total)) total[key] += counts[key]
}

const checked = check()
total.passed += checked.passed
total.failed += checked.failed
build()
// Many tests start programs and kill them, and what is killed keeps nothing of what it compiled: it is compiled once before.
const roles = "for (const role of ['web', 'worker', 'capture']) await import(`./apps/server/roles/${role}.ts`)"
spawnSync(pinnedNode, ['--input-type=module', '-e', roles], {
  cwd: root,
  stdio: 'inherit',
  env: { ...keepCompiled, ...process.env },
})
runTests(
  'unit and integration tests',
  'node_modules/vitest/vitest.mjs',
  (output) => ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${output}`],
  (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  }),
)
runTests(
  'journeys in the browser',
  'node_modules/@playwright/test/cli.js',
  () => ['test', '--reporter=list,json'],
  (report) => ({
    passed: report.stats.expected,
    failed: report.stats.unexpected + report.stats.flaky,
    skipped: report.stats.skipped,
  }),
)
rmSync(folder, { recursive: true, force: true })
say(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.failed === 0 ? 0 : 1)
