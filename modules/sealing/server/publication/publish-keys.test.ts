import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '../../../../platform/config/config.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { runTool, temporaryFolder, writeFiles } from '../../../../testing/keyring.ts'
import { publishedKeys } from '../../contract/keys.ts'
import { openKeyring } from '../keyring/open-keyring.ts'
import { pemOf } from '../certificates/read-certificate.ts'
import { publishKeys } from './publish-keys.ts'
import { findPublishedKeys } from './published-keys-store.ts'
import { publishedKeysRoutes, readPlatformKeys } from './present-keys.ts'

const database = withDatabase()
let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => folder.remove())

test('the worker publishes, and a process without keys serves the very octets that openssl verifies', async () => {
  const { db } = database
  let now = new Date('2026-11-21T10:00:00Z')
  const clock = { now: () => now }
  const keyring = await openKeyring({ dir: join(folder.dir, 'keys'), clock, log: silentLog })
  const deps = { db, keyring, clock, log: silentLog, names: { log: 'here.example/log', witness: 'here.example/witness' } }
  const app = await createHttpServer({
    config: loadConfig({}),
    log: silentLog,
    secret: 's'.repeat(32),
    clock,
    routes: publishedKeysRoutes({ db }),
    health: {},
  })
  try {
    expect((await app.inject('/.well-known/probant-keys.json')).statusCode).toBe(404)
    expect(await readPlatformKeys(db)).toEqual({ bitcoin: [], nano: [], log: [], witnesses: [] })
    expect(await publishKeys(deps)).toBe(true)
    now = new Date('2026-11-21T10:05:00Z')
    expect(await publishKeys(deps)).toBe(false)
    const first = await app.inject('/.well-known/probant-keys.json')
    expect([first.statusCode, first.headers['content-type']]).toEqual([200, 'application/json'])
    const document = publishedKeys.parse(first.json())
    expect(document.log[0]?.id).toMatch(/^here\.example\/log\+/)
    const signature = await app.inject('/.well-known/probant-keys.p7s')
    await writeFiles(folder.dir, [
      { path: 'keys.json', bytes: first.rawPayload },
      { path: 'keys.p7s', bytes: signature.rawPayload },
      { path: 'ca.pem', bytes: Buffer.from(pemOf((await keyring.signer('platform')).chain)) },
    ])
    const verify = async () =>
        await runTool(
          folder.dir, 'openssl', 'cms', '-verify', '-binary', '-inform', 'DER', '-in', 'keys.p7s', '-content', 'keys.json',
          '-CAfile', 'ca.pem', '-purpose', 'any', '-attime', String(now.getTime() / 1000), '-out', '/dev/null',
        ) // prettier-ignore
    expect((await verify()).output).toMatch(/CMS Verification successful/i)

    await keyring.rotate('nano-signing')
    expect(await publishKeys(deps)).toBe(true)
    const keys = await readPlatformKeys(db)
    expect(keys.nano.map(({ until }) => until)).toEqual([now.toISOString(), null])
    expect(keys.nano[0]?.id).toBe(document.nano[0]?.id)
    // A month later it is signed anew, though nothing changed.
    now = new Date('2026-12-22T10:05:00Z')
    expect(await publishKeys(deps)).toBe(true)
    expect((await findPublishedKeys(db))?.issuedAt).toEqual(now)
  } finally {
    await app.close()
  }
})
