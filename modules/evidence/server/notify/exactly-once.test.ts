import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { finish } from '../finish.test-data.ts'
import { createEvidence } from '../ask/create-evidence.ts'
import { notifyPeople } from './notify-people.ts'
import { haveAddress } from './notify.test-data.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-once-'))
const program = fileURLToPath(new URL('./work-and-die.test-program.ts', import.meta.url))
const received: string[] = []
let server: SMTPServer
let smtpUrl: string

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let source = ''
      stream.on('data', (chunk: Buffer) => (source += chunk.toString()))
      stream.on('end', () => {
        received.push(source)
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  smtpUrl = `smtp://127.0.0.1:${String(typeof address === 'object' && address !== null ? address.port : 0)}`
})
afterAll(async () => {
  const closed = Promise.withResolvers<void>()
  server.close(() => closed.resolve())
  await closed.promise
  rmSync(folder, { recursive: true, force: true })
})

/** A report that became final, and its line. @returns its owner's address */
async function ready(): Promise<string> {
  const userId = await haveAccount(database.db)
  const address = await haveAddress(database.db, userId, `${randomUUID()}@people.example`)
  const deps = {
    db: database.db,
    blobs: createFolderBlobStore(folder),
    clock: { now: () => new Date() },
    log: silentLog,
    secret: 's'.repeat(32),
    allowAddresses: [],
    scenarios: [],
  }
  const asked = { url: 'https://boutique.example/', action: 'static', locale: 'en' } as const
  const { evidence } = await createEvidence(deps, asked, { addressPrefix: null, actor: actorOf(userId) })
  await finish(database.db, evidence.id, 'final')
  await database.db.transaction().execute(async (tx) => await notifyPeople(tx, evidence, { kind: 'report_ready' }, new Date()))
  return address
}

const settled = async () =>
  (await database.db.selectFrom('notification').select('sent').where('settled_at', 'is', null).execute()).length === 0

/** A worker of its own that ends by itself, or by us once there is nothing left to send. */
async function worker(mails: string, smtp: string, when: 'before' | 'after' | 'never'): Promise<string | null> {
  const child = spawn(process.execPath, [program, database.url, mails, smtp, when], { stdio: ['ignore', 'ignore', 'inherit'] })
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>
  if (when === 'never') {
    await expect.poll(settled, { timeout: 100_000, interval: 50 }).toBe(true)
    child.kill('SIGKILL')
  }
  const [, signal] = await exit
  return signal
}

test.each(['before', 'after'] as const)(
  'a worker killed %s a mail was taken leaves one mail in the folder, not none and not two',
  async (when) => {
    const mails = mkdtempSync(join(folder, 'mail-'))
    const address = await ready()
    expect(await worker(mails, '', when)).toBe('SIGKILL')
    expect(await settled()).toBe(false)
    await worker(mails, '', 'never')
    const [name, ...others] = readdirSync(mails).filter((each) => each.endsWith('.eml') && !each.startsWith('.'))
    expect(others).toEqual([])
    expect(readFileSync(join(mails, name ?? ''), 'utf8')).toContain(`To: ${address}`)
  },
)

test('what an SMTP server took twice is one mail to a mailbox: the same Message-ID and date', async () => {
  await ready()
  await worker(folder, smtpUrl, 'after')
  await worker(folder, smtpUrl, 'never')
  expect(received).toHaveLength(2)
  const heads = received.map((source) =>
    ['Message-ID', 'Date', 'To', 'Subject'].map((name) => new RegExp(`^${name}: .+$`, 'm').exec(source)?.[0]),
  )
  expect(heads[0]?.[0]).toMatch(/^Message-ID: <[0-9a-f-]{36}@probant\.example>/)
  expect(heads[1]).toEqual(heads[0])
  const head = (received[0]?.split('\r\n\r\n', 1)[0] ?? '').replaceAll(/\r\n[ \t]/g, ' ')
  expect(head).toMatch(
    /^List-Unsubscribe: +<https:\/\/probant\.example\/settings\/by_mail\/one_click\/\?key=report_ready\.[^> \r\n]+>\r$/m,
  )
  expect(head).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
})
