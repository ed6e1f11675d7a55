/** H-45: a login in every way that a page may send it, then every octet of every piece, unpacked and decoded, looked through. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { checkInteractive } from '../../../../testing/check-interactive.ts'
import { account } from '../../../../testing/site/interactive-pages.ts'
import { startFixtureSite, type FixtureSite } from '../../../../testing/site/start-fixture-site.ts'
import type { CaptureResult } from '../../../capture/domain/outcome/outcome.ts'
import type { Reconciliation } from '../../../capture/server/record/index.ts'
import { findSecrets, formsOf } from '../../../capture/server/secrets/find-secrets.fixture.ts'
import { startVisit, type TestVisit } from './visitor.fixture.ts'

const pasted = 'jeton d’accès «7»\nsur deux lignes'
let site: FixtureSite
let visit: TestVisit | undefined

beforeAll(async () => {
  site = await startFixtureSite()
})
afterAll(() => site.close())
afterEach(() => visit?.end())

async function logInEveryWay(live: TestVisit, origin: string): Promise<CaptureResult> {
  const { password } = account
  const open = async () => {
    live.forget()
    live.send({ type: 'navigate', url: `${origin}/live/login/` })
    await live.tab(({ title, loading }) => title === 'Log in – Connexion' && !loading)
  }
  const focus = async (tabs: number, masked: boolean) => {
    live.forget()
    for (let i = 0; i < tabs; i += 1) live.key('Tab', 'Tab')
    // Whatever is told on the way, the last is where the next key goes.
    await expect
      .poll(() => live.messages.findLast(({ type }) => type === 'focus'), { timeout: 20_000 })
      .toMatchObject({ editable: true, masked })
  }
  const press = async (tabs: number, shown: RegExp) => {
    live.forget()
    for (let i = 0; i < tabs; i += 1) live.key('Tab', 'Tab')
    live.key('Enter', 'Enter')
    await live.tab(({ title, url }) => shown.test(`${title} ${url}`))
  }
  const paste = async (text: string) => {
    live.forget()
    live.send({ type: 'paste', id: 1, text, secret: true })
    expect((await live.told('pasted')).result).toBe('pasted')
  }
  await live.tab(({ title, loading }) => title === 'Log in – Connexion' && !loading)
  await focus(7, true)
  await paste(password)
  await press(1, /#answered$/)
  await press(2, /#echoed$/)
  await press(1, /#repeated$/)
  live.key('Tab', 'Tab')
  await live.told('focus', ({ editable }) => editable)
  await paste(pasted)
  live.forget()
  live.key('Tab', 'Tab')
  live.key('Enter', 'Enter')
  const { id } = await live.told('ask_credentials')
  live.send({ type: 'credentials', id, user: account.user, password })
  await live.tab(({ title }) => title.startsWith('Welcome'))
  await open()
  await focus(2, true)
  live.send({ type: 'text', text: password })
  await press(0, /^Welcome/)
  await open()
  await focus(5, true)
  await paste(password)
  await press(0, /^Welcome/)
  await open()
  await focus(7, true)
  await paste(password)
  await press(2, /^Welcome/)
  live.send({ type: 'quit' })
  return await live.result
}

test('H-45: a login in every way, and no secret in any piece', { timeout: 180_000 }, async () => {
  visit = await startVisit(`${site.origin}/live/login/`, site.addresses)
  const { files, facts } = await logInEveryWay(visit, site.origin)
  expect(await findSecrets([account.password, pasted], files, visit.workDir)).toEqual([])
  const said = JSON.stringify(facts)
  for (const secret of [account.password, pasted])
    for (const [form, wanted] of formsOf(secret)) expect([form, said.includes(wanted.toString())]).toEqual([form, false])

  // What was masked agrees with itself: nothing is missing, and every exchange has one digest in all that names it.
  expect(facts.completeness).toEqual({ state: 'complete', losses: [] })
  const read = async (path: string) => await readFile(files.find((file) => file.path === path)?.file ?? path, 'utf8')
  const reconciliation = JSON.parse(await read('environment/reconciliation.json')) as Reconciliation
  const json = reconciliation.exchanges.find(({ url }) => url.endsWith('/live/login/json'))
  const har = JSON.parse(await read('capture/network.har')) as {
    log: { entries: { request: { url: string }; response: { content: { text?: string; _sha256: string } } }[] }
  }
  const content = har.log.entries.find(({ request }) => request.url.endsWith('/live/login/json'))?.response.content
  expect(content?.text).toContain('XXXX')
  expect(
    createHash('sha256')
      .update(content?.text ?? '')
      .digest('hex'),
  ).toBe(content?._sha256)
  expect(json?.wire.content?.sha256).toBe(content?._sha256)
  expect(json?.verdict).toBe('agrees')
  const messages = (await read('capture/websockets.jsonl'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const sent = messages.filter(({ event, type }) => event === 'message' && type === 'text')
  expect(sent).toHaveLength(2)
  for (const { text, sha256 } of sent) {
    expect(text).toMatch(/^X+$/)
    expect(createHash('sha256').update(String(text)).digest('hex')).toBe(sha256)
  }

  // Each secret is said, with what kind, and where it was replaced.
  const secrets = facts.interactive?.secrets ?? []
  expect(secrets.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['paste', 'credentials']))
  expect(secrets[0]?.masked_in.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['capture/archive.wacz', 'capture/console.jsonl', 'capture/network.har', 'capture/websockets.jsonl']),
  )
  const masking = JSON.parse(await read('environment/masking.json')) as {
    secrets: { octets: number; commitment: string; left_in: unknown[] }[]
    withheld: { path: string; sha256: string }[]
  }
  expect(masking.secrets[0]).toMatchObject({ octets: Buffer.byteLength(account.password), searched: true, left_in: [] })
  const guesses = [account.password, pasted].map((one) => createHash('sha256').update(one).digest('hex'))
  for (const { commitment } of masking.secrets) expect(guesses).not.toContain(commitment)
  // The keys would open what was sent; without encryption the recording itself would show it.
  const paths = files.map(({ path }) => path)
  expect(paths).not.toContain('capture/tls-keys.log')
  expect(paths).not.toContain('capture/network.pcap')
  expect(masking.withheld.map(({ path }) => path)).toEqual(['capture/network.pcap'])
  expect(facts.interactive?.withheld).toEqual(masking.withheld)
  expect(await checkInteractive(files)).toEqual(['session_timeline passed', 'session_pieces passed', 'session_video passed'])
})
