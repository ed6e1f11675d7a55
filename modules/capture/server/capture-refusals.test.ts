/** What is refused: each ends in a clear failure within a bound of time and memory, with the machine clean afterwards. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../kernel/clock.ts'
import { processTree } from '../../../platform/browser/process-tree.ts'
import { createSessionFolder } from '../../../platform/browser/session-folder.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { rebindingAnswers, startCanary, vectorAnswers, type Canary } from '../../../testing/canary.ts'
import { startFixtureSite, type FixtureSite } from '../../../testing/site/start-fixture-site.ts'
import { startAttackSite, type AttackSite } from './attack-page.fixture.ts'
import { captureStatic, CaptureFailure, defaultCaptureLimits, type CaptureResult } from './index.ts'
import type { NameResolver } from './network/index.ts'

let canary: Canary
let attack: AttackSite
let site: FixtureSite
let workDir = ''
let sessions = ''
const running = new Set<number>()

const filler = '<h1>Les œuvres de l’été</h1><p>Le Maître d’œuvre a livré, dès l’aube, cinq œuvres à l’hôtel.</p>'.repeat(5)

beforeAll(async () => {
  canary = await startCanary()
  site = await startFixtureSite()
  const to = `http://${canary.privateAddress}:${canary.port}`
  attack = await startAttackSite({
    '/meta-private': `<!doctype html><meta http-equiv="refresh" content="0;url=${to}/meta">`,
    '/script-private': `<!doctype html>${filler}<script>location.href='${to}/script'</script>`,
    '/windows': `<!doctype html><title>windows</title>${filler}<script>for(let i=0;i<500;i++){window.open('${to}/window/'+i,'w'+i)}</script>`,
    '/downloads': `<!doctype html><title>downloads</title>${filler}<script>for(let i=0;i<200;i++){const a=document.createElement('a');a.href='/file?'+i;a.download='a'+i;document.body.append(a);a.click();const f=document.createElement('iframe');f.src='/file?f'+i;if(i<30)document.body.append(f)}</script>`,
    '/workers': `<!doctype html><title>workers</title>${filler}<script>for(let i=0;i<60;i++){const w=new Worker('/worker.js');w.postMessage({importUrl:'${to}/import',fetchUrl:'${to}/fetch'})}</script>`,
    '/frames': `<!doctype html><title>frames</title>${filler}<script>for(let i=0;i<150;i++){const f=document.createElement('iframe');f.srcdoc='<p>a</p>';document.body.append(f)}</script>`,
  })
  const folder = await createSessionFolder()
  sessions = dirname(folder.path)
  await folder.remove()
  for (const { pid } of await processTree(process.pid)) running.add(pid)
})
afterAll(async () => {
  await canary.close()
  await attack.close()
  await site.close()
})
beforeEach(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'refusals-'))
})
afterEach(async () => {
  await rm(workDir, { recursive: true, force: true })
  // No process of the browser, no folder, and with it no socket of the tunnel.
  expect((await processTree(process.pid)).filter(({ pid }) => !running.has(pid))).toEqual([])
  expect((await readdir(sessions)).filter((name) => name.startsWith(`${process.pid}-`))).toEqual([])
  expect(canary.hits).toEqual([])
})

const rebind = rebindingAnswers()
const resolver: NameResolver = {
  resolve: (name) => {
    const found = name.startsWith('rebind') ? rebind(name) : vectorAnswers(name, canary.privateAddress)
    return found === null
      ? Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
      : Promise.resolve({ addresses: found.map((address) => ({ address, ttl: 0 })), servers: [] })
  },
}

const capture = (url: string): Promise<CaptureResult> =>
  captureStatic(
    {
      evidenceId: 'test',
      url,
      locale: 'en',
      workDir,
      limits: { ...defaultCaptureLimits, totalMs: 60_000, loadMs: 8_000, settleMs: 4_000 },
      allowAddresses: [attack.address, ...site.addresses],
      includeTlsKeys: false,
      onProgress: () => undefined,
    },
    { clock: systemClock, log: silentLog, signal: new AbortController().signal, resolver, isolationOverride: false },
  )

const codeOf = (url: string): Promise<string> =>
  capture(url).then(
    () => 'captured',
    (error: unknown) => (error instanceof CaptureFailure ? error.code : String(error)),
  )

describe('addresses that lead inside end in their own failure', () => {
  test.each([
    ['http://127.0.0.1:PORT/', 'private_address'],
    ['http://PRIVATE:PORT/', 'private_address'],
    ['http://2130706433:PORT/', 'private_address'],
    ['http://0177.0.0.1:PORT/', 'private_address'],
    ['https://[::ffff:127.0.0.1]:PORT/', 'private_address'],
    ['http://[64:ff9b::7f00:1]:PORT/', 'private_address'],
    ['http://169.254.169.254/latest/meta-data/', 'private_address'],
    ['http://localhost:PORT/', 'private_address'],
    ['file:///etc/passwd', 'unsupported_scheme'],
    ['view-source:http://127.0.0.1:PORT/', 'unsupported_scheme'],
    ['data:text/html,<p>a</p>', 'unsupported_scheme'],
    ['http://127.0.0.1@192.31.196.1/', 'credentials_in_address'],
    ['http://192.31.196.1:22/', 'port_refused'],
    // Only the tunnel can tell.
    ['http://loopback.canary.test:PORT/', 'private_address'],
    ['https://mixed-last.canary.test:PORT/', 'private_address'],
    ['http://nat64.canary.test:PORT/', 'private_address'],
    ['http://nowhere.canary.test/', 'unknown_host'],
    ['SITE/jump/302?to=http%3A%2F%2FPRIVATE%3APORT%2F', 'private_address'],
    ['SITE/jump/307?to=https%3A%2F%2Floopback.canary.test%3APORT%2F', 'private_address'],
    ['SITE/meta-private', 'private_address'],
    ['SITE/script-private', 'private_address'],
    // A page that moves on by itself to where nobody is: the browser's own words are no evidence.
    ['SITE/jump/script?to=https%3A%2F%2Fnowhere.canary.test%2F', 'unknown_host'],
    ['SITE/jump/meta?to=http%3A%2F%2Fnowhere.canary.test%2F', 'unknown_host'],
    ['SITE/jump/form?to=http%3A%2F%2FPRIVATE%3APORT%2F', 'private_address'],
    ['SITE/jump/script?to=https%3A%2F%2FPRIVATE%3APORT%2F', 'private_address'],
  ])(
    '%s: %s',
    async (text, code) => {
      const url = text
        .replace('SITE', attack.origin)
        .replace('PORT', String(canary.port))
        .replace('PRIVATE', canary.privateAddress)
      expect(await codeOf(url)).toBe(code)
    },
    180_000,
  )

  test('a name that turns to loopback after its first answer', async () => {
    // A public address that serves no page: refused, unreachable or silent, by what network the machine has.
    expect(['connection_refused', 'connection_failed', 'timeout']).toContain(
      await codeOf(`http://rebind.canary.test:${canary.port}/`),
    )
  }, 180_000)
})

describe('pages that try to exhaust the machine are captured, and counted', () => {
  const codes = (result: CaptureResult) => result.facts.warnings.map(({ code }) => code)

  test('500 windows on a private address', async () => {
    const result = await capture(`${attack.origin}/windows`)
    const warning = result.facts.warnings.find(({ code }) => code === 'popups_blocked')
    expect(warning?.data).toMatchObject({ count: 500 })
    expect(result.facts.title).toBe('windows')
  }, 180_000)

  test('230 downloads, denied', async () => {
    const result = await capture(`${attack.origin}/downloads`)
    expect(result.facts.title).toBe('downloads')
    expect(await readdir(workDir)).not.toContain('a.zip')
  }, 180_000)

  test('60 workers asking for a private address', async () => {
    const result = await capture(`${attack.origin}/workers`)
    expect(result.facts.title).toBe('workers')
    expect(codes(result)).toContain('resources_failed')
  }, 180_000)

  test('150 frames', async () => {
    expect((await capture(`${attack.origin}/frames`)).facts.title).toBe('frames')
  }, 180_000)

  // Those that close their window, and whose script never yields, are captured: capture-warnings.test.ts.
  test.each(['/alert-before-load/', '/print-forever/', '/beforeunload/', '/file-resource/', '/navigates-away/', '/reloads/'])(
    '%s ends within its bound',
    async (path) => {
      const outcome = await codeOf(site.origin + path)
      expect(['captured', 'timeout', 'browser_crashed', 'too_many_redirects']).toContain(outcome)
    },
    180_000,
  )
})
