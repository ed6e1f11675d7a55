import { spawn } from 'node:child_process'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { makeTalkingBrowser } from '../../testing/talking-browser.ts'
import { launchBrowser, type LaunchedBrowser } from './launch-browser.ts'
import { isRunning, killStrays, processTree } from './process-tree.ts'
import { createSessionFolder, sweepSessionFolders, type SessionFolder } from './session-folder.ts'

let folder: SessionFolder
let browser: LaunchedBrowser | undefined

beforeEach(async () => {
  folder = await createSessionFolder()
})
afterEach(async () => {
  await browser?.kill()
  browser = undefined
  await folder.remove()
})

async function launch(program?: string) {
  browser = await launchBrowser({
    folder,
    ...(program === undefined ? {} : { program }),
    writeKeyLog: false,
    language: 'fr-FR',
    timeZone: 'Europe/Paris',
    window: { width: 1280, height: 800 },
    memoryBytes: 2e9,
    isolation: 'required',
    signal: AbortSignal.timeout(60_000),
  })
  const { targetId } = await browser.cdp.browser.send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await browser.cdp.browser.send('Target.attachToTarget', { targetId, flatten: true })
  const page = browser.cdp.session(sessionId)
  const evaluate = async (expression: string) =>
    (await page.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })).result.value as unknown
  return { launched: browser, page, evaluate }
}

test('a browser that is not there leaves nothing running behind its failure, the trial of the jail neither', async () => {
  const tools = await mkdtemp(join(tmpdir(), 'probant-slow-'))
  onTestFinished(() => rm(tools, { recursive: true }))
  const said = join(tools, 'said')
  await writeFile(said, '')
  // The trial is made as the user of the jail.
  await Promise.all([chmod(tools, 0o755), chmod(said, 0o666)])
  // As on a machine that is busy: it has not answered when the browser is found missing.
  await writeFile(
    join(tools, 'bwrap'),
    `#!/bin/sh\necho begun >>${said}\nsleep 0.3\necho ended >>${said}\nexec /usr/bin/bwrap "$@"\n`,
    {
      mode: 0o755,
    },
  )
  vi.stubEnv('PATH', `${tools}:${process.env['PATH'] ?? ''}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(launch(join(folder.path, 'no-such-browser'))).rejects.toThrow('no-such-browser')
  const lines = (await readFile(said, 'utf8')).trim().split('\n')
  expect(lines.at(-1)).toBe('ended')
})

test('the browser is fresh, local, and does not call itself headless', async () => {
  const { launched, evaluate } = await launch()
  expect(launched.product).toMatch(/^Chromium \d+\.\d+\.\d+\.\d+$/)
  expect(launched.isolation).toMatchObject({ kind: 'namespaces', reason: null })
  expect(launched.profile.entries).toEqual([])
  expect(await evaluate('navigator.userAgent')).toBe(launched.userAgent)
  expect(launched.userAgent).toMatch(/ Chrome\/\d+\.0\.0\.0 Safari\/537\.36$/)
  expect(await evaluate('[navigator.webdriver, navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone]')).toEqual([
    false,
    'fr-FR',
    'Europe/Paris',
  ])
}, 180_000)

test('beside the page the browser opens no page of its own', async () => {
  const { launched, page } = await launch()
  await page.send('Page.captureScreenshot', { format: 'png' })
  const { targetInfos } = await launched.cdp.browser.send('Target.getTargets', { filter: [{}] })
  expect(targetInfos.map(({ url }) => url).filter((url) => url !== '' && url !== 'about:blank')).toEqual([])
}, 180_000)

test('a browser that lies elsewhere on the machine runs from there, in the same jail', async () => {
  const elsewhere = await makeTalkingBrowser('elsewhere.test:443')
  try {
    const { launched, evaluate } = await launch(elsewhere.program)
    expect(launched.isolation).toMatchObject({ kind: 'namespaces', reason: null })
    expect(await evaluate('navigator.userAgent')).toBe(launched.userAgent)
    // What runs is in the folder that was shown to the jail; the rest of the machine's /tmp is not.
    const [, inside] = await processTree(launched.pid)
    const root = `/proc/${String(inside?.pid)}/root`
    expect(await readFile(`${root}/chromium/chromium`, 'utf8')).toContain('elsewhere.test:443')
    expect(await readdir(`${root}/tmp`)).not.toContain(dirname(elsewhere.program).split('/').at(-1))
  } finally {
    await elsewhere.remove()
  }
}, 180_000)

test('without the tunnel there is no way out, and the machine’s files and pages of the browser are closed', async () => {
  const canary: Server = createServer((socket) => socket.destroy())
  let hits = 0
  canary.on('connection', () => (hits += 1))
  await new Promise<void>((resolve) => void canary.listen(0, '127.0.0.1', resolve))
  const { port } = canary.address() as AddressInfo
  const { launched } = await launch()
  const attempts = [`http://127.0.0.1:${port}/`, `http://[::ffff:127.0.0.1]:${port}/`, `http://localhost:${port}/`]
  const closed = ['file:///etc/passwd', 'file:///', 'chrome://version', 'chrome://settings', 'view-source:file:///etc/passwd']
  for (const url of [...attempts, ...closed]) {
    // A tab each: from one error page to another, DevTools navigation is not what a visitor does.
    const { targetId } = await launched.cdp.browser.send('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await launched.cdp.browser.send('Target.attachToTarget', { targetId, flatten: true })
    expect((await launched.cdp.session(sessionId).send('Page.navigate', { url })).errorText, url).toBeDefined()
  }
  expect(hits).toBe(0)
  canary.close()
}, 180_000)

test('every process of the browser runs as an ordinary user, in its own network, and none is left', async () => {
  const { launched } = await launch()
  const ours = await readlinkNet('self')
  const tree = await processTree(launched.pid)
  expect(tree.length).toBeGreaterThan(4)
  const status = await Promise.all(tree.map(({ pid }) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')))
  expect(status.filter((text) => /^Uid:\s+0\b/m.test(text))).toEqual([])
  // bwrap itself stands outside; everything under it is inside.
  const nets = await Promise.all(tree.slice(1).map(({ pid }) => readlinkNet(String(pid))))
  expect(nets.filter((net) => net === ours)).toEqual([])
  await launched.kill()
  expect((await Promise.all(tree.map(isRunning))).filter(Boolean)).toEqual([])
  expect((await launched.ended).reason).toBe('killed')

  async function readlinkNet(pid: string): Promise<string> {
    const { readlink } = await import('node:fs/promises')
    return readlink(`/proc/${pid}/ns/net`).catch(() => 'gone')
  }
}, 180_000)

test('kill -9 of the owner leaves no process, and its folder is swept', async () => {
  const script = join(import.meta.dirname, 'hold-browser.test-program.ts')
  const owner = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(owner.stdout, 'data')) as [Buffer]
  const { pid, path } = JSON.parse(line.toString()) as { pid: number; path: string }
  const tree = await processTree(pid)
  expect(tree.length).toBeGreaterThan(4)
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  await expect.poll(async () => (await Promise.all(tree.map(isRunning))).filter(Boolean).length, { timeout: 20_000 }).toBe(0)
  // Another process of the machine may have swept it just before.
  await sweepSessionFolders()
  expect(await readdir(dirname(path))).not.toContain(path.split('/').at(-1))
  expect(await readdir(dirname(folder.path))).toContain(folder.path.split('/').at(-1))
}, 180_000)

test('a jail whose builder ended before it was built is found by its folder, and no other is', async () => {
  const other = await createSessionFolder()
  // It waits for the word of one that never speaks, as a jail does whose builder was killed while it was being built.
  const wait = (path: string) =>
    spawn('bwrap', ['--ro-bind', '/', '/', '--bind', path, path, '--block-fd', '3', 'true'], {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    })
  const [stray, kept] = [wait(folder.path), wait(other.path)]
  const ended = once(stray, 'exit')
  await killStrays(folder.path)
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(kept.exitCode ?? kept.signalCode).toBeNull()
  kept.kill('SIGKILL')
  await once(kept, 'exit')
  await killStrays(other.path)
  await other.remove()
}, 180_000)
