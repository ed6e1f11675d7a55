import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'probant-started-'))
afterAll(() => rmSync(folder, { recursive: true }))
const library = fileURLToPath(new URL('queue-library.ts', import.meta.url))
const load = `const { queueLibrary } = await import('${library}'); process.stdout.write(typeof queueLibrary.run + ' ' + process.cwd())`

function startIn(cwd: string) {
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', load]
  return spawnSync(process.execPath, options, { cwd, encoding: 'utf8' })
}

test('a program is run by nobody because it lies where a command is started', () => {
  const run = join(folder, 'run')
  for (const name of ['graphile-worker.config.cjs', '.graphile-workerrc.cjs'])
    writeFileSync(join(folder, name), `require('node:fs').writeFileSync(${JSON.stringify(run)}, ''); module.exports = {}`)
  expect(startIn(folder)).toMatchObject({ status: 0, stdout: `function ${folder}`, stderr: '' })
  expect(existsSync(run)).toBe(false)
})

test('a command is run by whoever may not look into the folder that it was started in', () => {
  const closed = join(folder, 'closed')
  mkdirSync(closed)
  // Something that is no file: who may read everything cannot read it either.
  mkdirSync(join(closed, 'package.json'))
  chmodSync(closed, 0o300)
  expect(startIn(closed)).toMatchObject({ status: 0, stdout: `function ${closed}`, stderr: '' })
})
