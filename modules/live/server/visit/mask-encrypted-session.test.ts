/** H-45: secrets that pass under TLS, of sites whose certificates the browser does not accept and whose visitor goes on. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { checkInteractive } from '../../../../testing/check-interactive.ts'
import { account } from '../../../../testing/site/interactive-pages.ts'
import { startFixtureSite, type FixtureSite } from '../../../../testing/site/start-fixture-site.ts'
import { findSecrets } from '../../../capture/server/secrets/find-secrets.fixture.ts'
import type { TimelineEntry } from '../../domain/timeline-entry.ts'
import { startVisit, type TestVisit } from './visitor.fixture.ts'

const run = promisify(execFile)
const { password } = account
const pasted = 'jeton d’accès «7» sur une ligne'
let site: FixtureSite
let visit: TestVisit | undefined

beforeAll(async () => {
  site = await startFixtureSite()
})
afterAll(() => site.close())
afterEach(() => visit?.end())

/** From the browser's warning, as its visitors do: "Advanced", then the link under it. */
async function goOn(live: TestVisit, title: string): Promise<void> {
  await live.tab(({ failure, loading, security }) => failure !== null && !loading && security === 'certificate_error')
  for (let i = 0; i < 3; i += 1) live.key('Tab', 'Tab')
  live.key('Enter', 'Enter')
  live.key('Tab', 'Tab')
  live.key('Enter', 'Enter')
  await live.tab((tab) => tab.title === title && !tab.loading && tab.failure === null)
}

test('H-45: over TLS the recording stays, without the keys that would open what was masked', { timeout: 300_000 }, async () => {
  const [first, second] = [site.secure.selfSigned.origin, site.secure.expired.origin]
  const live = await startVisit(`${first}/live/login/`, site.addresses)
  visit = live
  const focus = async (tabs: number) => {
    live.forget()
    for (let i = 0; i < tabs; i += 1) live.key('Tab', 'Tab')
    await expect
      .poll(() => live.messages.findLast(({ type }) => type === 'focus'), { timeout: 20_000 })
      .toMatchObject({ editable: true, masked: true })
  }
  const press = async (tabs: number, shown: RegExp) => {
    live.forget()
    for (let i = 0; i < tabs; i += 1) live.key('Tab', 'Tab')
    live.key('Enter', 'Enter')
    await live.tab(({ title, url }) => shown.test(`${title} ${url}`))
  }
  expect((await live.told('notice', ({ code }) => code === 'certificate_error')).data).toEqual({
    host: new URL(first).host,
    error: 'ERR_CERT_AUTHORITY_INVALID',
  })
  await goOn(live, 'Log in – Connexion')
  // Typed into a form; then pasted as a secret, sent by a script and over a WebSocket. Each page has another title than the one before.
  await focus(2)
  live.send({ type: 'text', text: password })
  await press(0, /^Welcome/)
  live.forget()
  live.send({ type: 'navigate', url: `${first}/live/login/` })
  await live.tab(({ title, loading }) => title === 'Log in – Connexion' && !loading)
  await focus(7)
  live.send({ type: 'paste', id: 1, text: pasted, secret: true })
  expect((await live.told('pasted')).result).toBe('pasted')
  await press(1, /#answered$/)
  await press(2, /#echoed$/)
  // Another site, which is told nothing: what was typed is saved, logged and shown there.
  live.forget()
  live.send({ type: 'navigate', url: `${second}/live/keeps/` })
  await goOn(live, 'Keeps – Garde')
  await focus(1)
  live.send({ type: 'text', text: password })
  await press(1, /#kept$/)
  await live.told('notice', ({ code }) => code === 'download_kept')
  live.send({ type: 'quit' })
  const { files, facts } = await live.result

  expect(await findSecrets([password, pasted], files, live.workDir)).toEqual([])
  expect(facts.completeness).toEqual({ state: 'complete', losses: [] })
  const paths = files.map(({ path }) => path)
  const read = async (path: string) => await readFile(files.find((file) => file.path === path)?.file ?? path, 'utf8')
  // The recording is whole; the page that shows the secret and the file that holds it are left out, and named with their digests.
  expect(paths).toEqual(expect.arrayContaining(['capture/network.pcap', 'capture/tls-keys.log']))
  const masking = JSON.parse(await read('environment/masking.json')) as {
    secrets: { kind: string; url: string; octets: number }[]
    withheld: { path: string; sha256: string; bytes: number }[]
    tls_keys: { kept: string[]; left_out: string[] }
  }
  // What was entered, once each; nothing of a page that came after, whose elements may bear the same numbers in another process.
  expect(masking.secrets.map(({ kind, url, octets }) => [kind, url, octets])).toEqual([
    ['password_field', `${first}/live/login/`, Buffer.byteLength(password)],
    ['paste', `${first}/live/login/`, Buffer.byteLength(pasted)],
  ])
  expect(masking.withheld.map(({ path }) => path).toSorted()).toEqual(['capture/downloads/01-kept.txt', 'capture/page.pdf'])
  for (const { path } of masking.withheld) expect(paths).not.toContain(path)
  expect(facts.interactive?.withheld).toEqual(masking.withheld)
  expect(facts.interactive?.downloads).toMatchObject([
    {
      name: 'kept.txt',
      path: null,
      refused: 'secret',
      sha256: masking.withheld.find(({ path }) => path.endsWith('.txt'))?.sha256,
    },
  ])

  // With the keys that are there, another program reads what the second site sent, and nothing of the first.
  const { tls_keys: keys } = masking
  expect(facts.interactive?.tls_keys).toEqual({ kept: keys.kept.length, left_out: keys.left_out.length })
  const connections = (JSON.parse(await read('capture/dns.json')) as { connections: { id: string; port: number }[] }).connections
  const portsOf = (ids: readonly string[]) =>
    new Set(connections.flatMap(({ id, port }) => (ids.includes(id) ? [String(port)] : [])))
  expect(portsOf(keys.left_out)).toContain(new URL(first).port)
  expect(portsOf(keys.kept)).toContain(new URL(second).port)
  const fileOf = (path: string) => files.find((file) => file.path === path)?.file ?? ''
  const decrypted = async (origin: string): Promise<string> => {
    const { port } = new URL(origin)
    const keyFile = fileOf('capture/tls-keys.log')
    const { stdout } = await run('tshark', [
      '-r',
      fileOf('capture/network.pcap'),
      '-o',
      `tls.keylog_file:${keyFile}`,
      '-d',
      `tcp.port==${port},tls`,
      '-Y',
      `tcp.port==${port} && http2.headers.path`,
      '-T',
      'fields',
      '-e',
      'http2.headers.path',
    ])
    return stdout
  }
  expect(await decrypted(second)).toContain('/live/keeps/')
  expect(await decrypted(first)).not.toContain('/live/login/json')

  // A line that is longer than what is written of it is JSON still, and ends where it ended.
  const lines = (await read('capture/console.jsonl')).trimEnd().split('\n')
  const texts = lines.map((line) => (JSON.parse(line) as { text: string }).text)
  expect(texts.find((text) => text.startsWith('....'))).toMatch(/^\.{3990}X{10}$/)
  expect(texts.find((text) => text.startsWith('""""'))).toHaveLength(4_000)

  // The certificates that were not accepted: in the timeline, with who went on; in the facts; in what is objected to.
  const entries = (await readFile(join(live.workDir, 'timeline.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as TimelineEntry)
  expect(
    entries.flatMap(({ type, data }) =>
      type === 'warning' ? [[data['code'], new URL(String(data['url'])).origin, data['error']]] : [],
    ),
  ).toEqual([
    ['certificate_error', first, 'ERR_CERT_AUTHORITY_INVALID'],
    ['certificate_passed', first, 'ERR_CERT_AUTHORITY_INVALID'],
    ['certificate_error', second, 'ERR_CERT_AUTHORITY_INVALID'],
    ['certificate_passed', second, 'ERR_CERT_AUTHORITY_INVALID'],
  ])
  expect(facts.warnings).toContainEqual({
    code: 'session_certificates',
    data: { count: 2, passed: 2, first: new URL(first).host, error: 'ERR_CERT_AUTHORITY_INVALID' },
  })
  expect(facts.certificate).toMatchObject({
    error: 'ERR_CERT_AUTHORITY_INVALID',
    subject: expect.stringContaining('expired') as string,
  })
  expect(facts.quality.verdict).toBe('doubtful')
  expect(facts.checklist.find(({ id }) => id === 'visited_first')).toMatchObject({ result: 'pass' })
  expect(facts.interactive?.navigations.slice(0, 2).map(({ status, cause }) => [status, cause])).toEqual([
    [null, 'address'],
    [200, 'reload'],
  ])
  expect(await checkInteractive(files)).toEqual([
    'session_timeline passed',
    'session_pieces passed',
    'session_pieces indeterminate withheld_secret',
    'session_video passed',
  ])
  // Where nobody says that it was left out, the file is missing.
  const unsaid = await checkInteractive(files.filter(({ path }) => path !== 'environment/masking.json'))
  expect(unsaid).toContain('session_pieces indeterminate missing')
})
