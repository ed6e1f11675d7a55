import { randomUUID } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withDatabase } from '../../../testing/database.ts'
import { openStampServer } from './stamp-server.test-data.ts'

const database = withDatabase()
let server: Awaited<ReturnType<typeof openStampServer>>
beforeAll(async () => {
  server = await openStampServer(database.db)
})
afterAll(async () => await server.close())

const root = join(import.meta.dirname, '../../..')

/** What the page has people type, in their order; without the lines whose values are each one's own. */
async function commandsOf(locale: string): Promise<string[]> {
  const page = await readFile(join(root, `content/${locale}/help/scripts.md`), 'utf8')
  return [...page.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, commands = '']) => commands)
}

test('every command of the help for scripts does what it says', async () => {
  const folder = join(server.folder, randomUUID())
  await mkdir(join(folder, 'bin'), { recursive: true })
  await writeFile(join(folder, 'plan.pdf'), `the plan ${randomUUID()}`)
  // The program as it is here, whatever is published elsewhere under its name.
  await writeFile(
    join(folder, 'bin/npx'),
    `#!/bin/sh\nshift\nexec '${process.execPath}' '${join(root, 'apps/cli/probant.ts')}' "$@"\n`,
  )
  await chmod(join(folder, 'bin/npx'), 0o755)
  const commands = await commandsOf('en')
  expect([commands.length, commands.at(-1)?.includes('openssl ts -verify')]).toEqual([2, true])
  const { key, userId } = await server.person()
  const child = spawn('bash', ['-euo', 'pipefail', '-c', commands.join('\n')], {
    cwd: folder,
    env: {
      PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      PROBANT_API_URL: server.address.replace(/\/$/, ''),
      PROBANT_API_KEY: key,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  expect([code, out.trim().split('\n').at(-1), said]).toEqual([0, 'Verification: OK', expect.stringContaining('plan.pdf.tsr')])
  expect((await readdir(folder)).filter((name) => !name.startsWith('.') && name !== 'bin').toSorted()).toEqual([
    'authority.pem',
    'plan.pdf',
    'plan.pdf.ers',
    'plan.pdf.tsr',
    'proofs.zip',
    'token.tsr',
  ])
  const deposits = await server.depositsOf(userId)
  expect(deposits.map(({ name, status }) => [name, status])).toEqual([
    ['plan.pdf', 'final'],
    ['plan.pdf', 'final'],
  ])
})

test('the help says the same commands in both languages', async () => {
  const bare = async (locale: string) => (await commandsOf(locale)).map((each) => each.replaceAll(/^#.*$/gm, '#'))
  expect(await bare('fr')).toEqual(await bare('en'))
})
