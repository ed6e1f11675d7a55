/** Real browsers in their jail, heard through a recording tunnel. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { chromiumPath } from '../../../../platform/browser/browser-flags.ts'
import { processTree } from '../../../../platform/browser/process-tree.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { makeTalkingBrowser } from '../../../../testing/talking-browser.ts'
import type { ServerItems } from '../../domain/servers/preflight.ts'
import { compareSilence, isSilent, type Silence } from '../../domain/servers/silence.ts'
import { steeredBrowser } from '../../../live/server/index.ts'
import { onePage } from '../session/session-kind.ts'
import { createSilenceMeasurement, readSilence } from './measure-silence.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probant-heard-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const itemsOf = (browser_sha256: string, isolation: ServerItems['isolation'] = 'namespaces'): ServerItems => ({
  software: 'probant/1',
  program_sha256: 'a'.repeat(64),
  node: '26',
  operating_system: 'Debian',
  machine_sha256: null,
  browser: 'Chromium',
  browser_sha256,
  packages: null,
  image_digest: 'd'.repeat(64),
  dns_servers: null,
  proxy: 'none',
  public_address: null,
  isolation,
})
const { signal } = new AbortController()

function listenTo(program?: string) {
  let listened = 0
  const measure = createSilenceMeasurement({
    clock: systemClock,
    log: { ...silentLog, info: () => void (listened += 1) },
    folder,
    kinds: [onePage, steeredBrowser],
    isolationOverride: false,
    // One that speaks does so at once.
    ...(program === undefined ? {} : { program, watch: { idleMs: 200, pageMs: 200 } }),
  })
  return { measure, listened: () => listened }
}

describe('the browser’s silence', () => {
  test('of this very browser: at rest and on a page, static and live, nobody is asked; and that is kept', async () => {
    const here = listenTo()
    const found = (await here.measure(itemsOf('1'.repeat(64)), signal)) as Silence
    expect(found.sessions).toEqual([
      { kind: 'static', idle_seconds: 4, page_seconds: 4, heard: [] },
      { kind: 'live', idle_seconds: 4, page_seconds: 4, heard: [] },
    ])
    expect(isSilent(found)).toBe(true)
    expect(compareSilence(found)).toEqual([])
    expect(await readSilence(folder)).toEqual(found)
    // The same browser is not listened to again, by this process or the next; nor is a file that is no such thing believed.
    const next = listenTo()
    expect(await next.measure(itemsOf('1'.repeat(64)), signal)).toEqual(found)
    expect([here.listened(), next.listened()]).toEqual([1, 0])
    await writeFile(join(folder, 'silence.json'), (await readFile(join(folder, 'silence.json'), 'utf8')).replace('static', 'x'))
    expect(await readSilence(folder)).toBeNull()
    expect((await processTree(process.pid)).filter(({ name }) => name === 'bwrap')).toEqual([])
  })

  test('one that speaks is heard by name, static and live, and listened to again at the next start', async () => {
    const talking = await makeTalkingBrowser('beacon.example:8443')
    try {
      const { measure, listened } = listenTo(talking.program)
      const found = (await measure(itemsOf('2'.repeat(64)), signal)) as Silence
      const heard = [{ host: 'beacon.example', port: 8443, when: 'idle' }]
      expect(found.sessions.map((session) => [session.kind, session.heard])).toEqual([
        ['static', heard],
        ['live', heard],
      ])
      expect(compareSilence(found)).toEqual([
        { item: 'silence', expected: 'no host but that of the page', measured: 'beacon.example:8443' },
      ])
      expect(await measure(itemsOf('2'.repeat(64)), signal)).toBe(found)
      expect(listened()).toBe(1)
      const next = listenTo(talking.program)
      await next.measure(itemsOf('2'.repeat(64)), AbortSignal.timeout(500)).catch(() => null)
      expect(next.listened()).toBe(1)
    } finally {
      await talking.remove()
    }
  })

  test('what cannot be listened to is no silence; without a jail there is nothing to listen to', async () => {
    const broken = join(folder, 'chromium')
    await writeFile(broken, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const found = await listenTo(broken).measure(itemsOf('3'.repeat(64)), signal)
    expect(found).toMatchObject({ failed: expect.any(String) })
    expect(compareSilence(found)[0]?.measured).toMatch(/^not measured: /)
    expect(await readSilence(folder)).toBeNull()
    const none = listenTo(chromiumPath)
    expect(await none.measure(itemsOf('3'.repeat(64), 'unavailable'), signal)).toBeNull()
    expect(none.listened()).toBe(0)
  })

  test('it ends with the process that wants to know, and leaves nothing running', async () => {
    const ending = new AbortController()
    const measuring = listenTo().measure(itemsOf('4'.repeat(64)), ending.signal)
    ending.abort(new Error('stopped'))
    await expect(measuring).rejects.toThrow('stopped')
    expect((await processTree(process.pid)).filter(({ name }) => name === 'bwrap')).toEqual([])
  })
})
