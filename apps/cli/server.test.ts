import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readManifest, serverFolder } from '../../modules/capture/server/index.ts'
import { writeSeenDifference } from '../../modules/capture/server/servers/manifest.ts'
import { runServerCommand } from './server.ts'

const data = mkdtempSync(join(tmpdir(), 'probant-cli-server-'))
afterAll(() => rmSync(data, { recursive: true }))
const env = {
  PROBANT_DATA: data,
  PROBANT_SERVER_ID: 'here',
  PROBANT_NTP_SERVERS: 'none',
  PROBANT_STUN_SERVERS: 'none',
}
const folder = serverFolder(data, 'here')

async function run(...argv: string[]): Promise<{ code: number; out: string; said: string }> {
  let [out, said] = ['', '']
  const stdout = { write: (text: string) => (out += text) }
  const stderr = { write: (text: string) => (said += text) }
  const code = await runServerCommand(argv, { stdout, stderr, env, signal: new AbortController().signal })
  return { code, out, said }
}

test('H-11 an administrator sees what differs and pins it; a wrong clock cannot be accepted', async () => {
  expect(await run('show')).toMatchObject({ code: 0 })
  const first = await run('pin')
  expect(first.code).toBe(0)
  const pinned = await readManifest(folder, 'here')
  expect(JSON.parse(first.out)).toMatchObject({ server_id: 'here', manifest_sha256: pinned?.sha256 })
  // Nothing was measured before: the browser was listened to first.
  expect(JSON.parse((await run('show')).out)).toMatchObject({
    silence: {
      browser: pinned?.manifest.items.browser,
      sessions: [
        { kind: 'static', heard: [] },
        { kind: 'live', heard: [] },
      ],
    },
  })
  expect(pinned?.manifest).toMatchObject({ pinned_by: 'command', items: { browser: expect.stringMatching(/^Chromium \d/) } })
  expect((await run('pin')).said).toContain(`here is as pinned (manifest ${String(pinned?.sha256)})`)
  if (pinned === null) throw new Error('nothing was pinned')
  const at = '2026-11-21T10:00:00.000Z'
  const items = { ...pinned.manifest.items, dns_servers: '198.51.100.53' }
  const dns = { item: 'dns_servers', expected: '192.0.2.53', measured: '198.51.100.53' }
  await writeSeenDifference(folder, {
    at,
    items,
    differences: [dns, { item: 'clock_offset', expected: 'at most 1 s', measured: '7.000 s' }],
  })
  const refused = await run('pin', '--lang', 'fr')
  expect(refused.code).toBe(1)
  expect(refused.said).toContain('dns_servers\u202f: 192.0.2.53 → 198.51.100.53')
  expect(refused.said).toContain('une horloge fausse')
  expect((await readManifest(folder, 'here'))?.sha256).toBe(pinned.sha256)
  await writeSeenDifference(folder, { at, items, differences: [dns] })
  expect(JSON.parse((await run('show')).out)).toMatchObject({ difference: { differences: [dns] } })
  const accepted = await run('pin')
  expect(accepted.code).toBe(0)
  expect(accepted.said).toContain('dns_servers: 192.0.2.53 → 198.51.100.53')
  expect((await readManifest(folder, 'here'))?.manifest).toMatchObject({ replaces: pinned.sha256, items })
})

test.each([
  [['list', 'fixed']],
  [['join']],
  [['drain', 'fixed', 'more']],
  [['remove', '--force']],
  [[]],
  [['pin', '--force']],
  [['pin', '--lang', 'de']],
  [['pin', '--lang', 'en', 'more']],
  [['assign', 'fixed']],
  [['assign', 'fixed', 'ACME', 'more']],
  [['assign', '--lang', 'en']],
  [['unassign']],
  [['unassign', 'fixed', 'ACME']],
  [['unassign', '--force']],
])('wrong use is told: %j', async (argv) => {
  const { code, said } = await run(...argv)
  expect(code).toBe(3)
  expect(said).toContain('Usage: probant server')
})
