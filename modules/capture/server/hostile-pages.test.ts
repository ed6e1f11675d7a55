/**
 * Pages that fight, a third of them by turns of the commit. Each ends within its bounds, in a failure that names it or in a capture whose facts say what
 * was kept; nothing is left behind. Alerts, `beforeunload`, windows, downloads and plain redirect loops are in capture-refusals.test.ts.
 */
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processTree } from '../../../platform/browser/process-tree.ts'
import { createSessionFolder } from '../../../platform/browser/session-folder.ts'
import { makeCertificates } from '../../../testing/site/certificates.ts'
import { startBrokenTls, tlsFaults, type BrokenTls, type TlsFault } from '../../../testing/site/start-broken-tls.ts'
import { startFightingSite, type FightingSite } from '../../../testing/site/start-fighting-site.ts'
import { byTurns, seed } from '../../../testing/sweep.ts'
import { createMessages } from '../../../platform/messages/messages.ts'
import type { CaptureFailureCode } from '../domain/outcome/failures.ts'
import type { CaptureLimits } from '../domain/outcome/limits.ts'
import type { CaptureWarningCode } from '../domain/outcome/warnings.ts'
import { defaultCaptureLimits } from './index.ts'
import { captureOne, runPool, type Outcome } from './quality/capture-many.fixture.ts'

const mebibyte = 1024 * 1024
const limits = {
  ...defaultCaptureLimits,
  totalMs: 60_000,
  maxHeight: 9_000,
  documentBytes: 16 * mebibyte,
  bodyBytes: 16 * mebibyte,
  totalBytes: 48 * mebibyte,
  requests: 30,
  memoryBytes: 900 * mebibyte,
} satisfies CaptureLimits
/** For what has no end of its own: the bounds are what ends it. Elsewhere a slow machine must not be taken for a slow page. */
const hasty = { ...limits, loadMs: 2_000, settleMs: 1_000, scrollMs: 2_000 }
const busy = { ...hasty, busyMs: 2_000 }
const silent = { ...limits, navigateMs: 5_000 }
const limitsOf: Readonly<Record<string, CaptureLimits>> = {
  '/sync-xhr-at-once/': busy,
  '/worker-swallows/': busy,
  '/regexp/': busy,
  '/drip-head/': silent,
  stalled_handshake: silent,
  '/drip-body/': hasty,
  '/bomb-document/': hasty,
  '/bomb-fetch/': hasty,
  '/bomb-brotli/': hasty,
  '/infinite-dom/': busy,
  '/write-at-once/': busy,
  '/frames-deep/': hasty,
  '/paints-forever/': hasty,
  '/use-bomb/': hasty,
}
/** What fills the memory is ended by the jail, by the browser, or by the time, whichever is first. */
const exhausted = ['out_of_memory', 'browser_crashed', 'timeout'] as const

type Expected = {
  /** Ends that tell the truth, any of them where a page runs against several bounds at once. */
  readonly fails?: readonly CaptureFailureCode[]
  /** Captured: all of these are said. */
  readonly says?: readonly CaptureWarningCode[]
  readonly state?: 'complete' | 'incomplete'
  /** Both a failure and a capture are true ends. */
  readonly either?: true
  readonly title?: RegExp
  /** What the saved page holds. */
  readonly dom?: RegExp
}
/** A page that broke off: what had come is shown; on a busy machine the browser may drop it unread, and shows nothing. */
const brokeOff = { says: ['document_incomplete'], state: 'incomplete', either: true, fails: ['empty_response'] } as const
const nothing: Expected = { says: [], state: 'complete' }

const pages: Readonly<Record<string, Expected>> = {
  // Answers that are no good HTTP.
  '/drip-head/': { fails: ['timeout'] },
  '/drip-body/': { says: ['load_timeout'], state: 'incomplete', title: /^drip-body$/ },
  '/drip-picture/': { says: ['missing_images'], title: /^drip-picture$/ },
  '/http09/': { fails: ['empty_response'] },
  '/length-short/': { state: 'incomplete', says: [], title: /^length-short$/ },
  '/length-long/': { ...brokeOff, title: /^length-long$/ },
  '/length-negative/': { says: [], state: 'incomplete', title: /^length-negative$/ },
  '/length-two/': { fails: ['connection_failed'] },
  '/chunk-bad/': { fails: ['empty_response'] },
  '/chunk-unended/': { ...brokeOff, title: /^chunk-unended$/ },
  '/head-endless/': { fails: ['connection_failed'] },
  '/head-malformed/': { ...nothing, title: /^head-malformed$/ },
  '/head-nul/': { fails: ['empty_response'] },
  '/status-odd/': { says: ['http_error'], state: 'complete' },
  '/cookies-endless/': { says: ['resources_failed'], title: /^cookies-endless$/ },
  '/long-address/': { ...nothing, title: /^long-address$/ },
  '/long-addresses/': { says: ['missing_images', 'resources_failed'], state: 'complete' },
  '/redirects-mixed/': { fails: ['too_many_redirects'] },
  '/redirect-nowhere/': { says: ['blank_page'], state: 'complete' },
  '/abort-body/': brokeOff,
  '/gzip-broken/': { fails: ['empty_response'] },
  // Ten gigabytes in ten megabytes; two in a few kilobytes.
  '/bomb-document/': { fails: ['too_large', ...exhausted] },
  '/bomb-fetch/': { says: [], state: 'incomplete', either: true, fails: exhausted },
  '/bomb-brotli/': { either: true, fails: exhausted },
  // Scripts, styles and frames.
  '/infinite-dom/': { either: true, fails: exhausted },
  '/write-at-once/': { either: true, fails: exhausted },
  '/sync-xhr-at-once/': { fails: ['timeout'] },
  '/workers-spin/': { ...nothing, title: /^workers-spin$/ },
  '/worker-swallows/': { either: true, fails: ['timeout'], says: [] },
  '/asks-for-everything/': { ...nothing, title: /^asks-for-everything$/ },
  '/prints/': { ...nothing, title: /^prints$/ },
  '/floods/': { says: [], title: /^floods$/, dom: /storage: QuotaExceededError/, either: true, fails: ['timeout'] },
  '/goes-blank/': { says: ['blank_page', 'redirected_elsewhere'] },
  '/goes-blob/': { says: ['redirected_elsewhere'], dom: /Made by the page itself/ },
  '/frames-deep/': { says: [], title: /^frames-deep$/, either: true, fails: exhausted },
  '/paints-forever/': { says: [], either: true, fails: ['timeout'] },
  '/canvas-huge/': { either: true, fails: exhausted },
  '/picture-huge/': { either: true, fails: exhausted },
  '/font-bomb/': { says: [], title: /^font-bomb$/ },
  '/clobbers/': { says: [], title: /^clobbers$/, dom: /name="getClientRects"/ },
  '/poisons/': { ...nothing, title: /^poisons$/, dom: /Les œuvres de l’été/ },
  '/no-root/': { says: ['blank_page'], state: 'complete' },
  '/rewrites/': { says: [], dom: /Rewritten/ },
  '/too-wide/': { says: ['width_cut'], state: 'complete' },
  '/too-high/': { says: ['height_cut'] },
  '/ten-thousand/': { says: ['requests_limited'], state: 'incomplete' },
  '/regexp/': { says: ['script_ended'] },
  '/use-bomb/': { either: true, fails: exhausted },
  // Text that is not what it says.
  '/title/': { ...nothing, title: /^\u202Egnp\.exe/ },
  '/invalid-utf8/': { ...nothing, title: /^\uFFFD+/ },
  '/laughs/': { says: [] },
  // Documents that are no pages.
  '/document.pdf': { says: ['shown_by_viewer'], state: 'complete' },
  '/document.png': { says: ['shown_by_viewer'], state: 'complete' },
  '/document.webm': { says: ['shown_by_viewer'], state: 'complete' },
  '/document.svg': { ...nothing, title: /^document\.svg$/ },
  '/document.xml': { ...nothing, dom: /œuvre prix="118,80"/ },
  '/document.json': { ...nothing, dom: /Naïades/ },
  '/document.txt': { ...nothing, dom: /Les œuvres de l’été/ },
  '/document.unknown': { fails: ['download'] },
  '/document.sniffed': { fails: ['download'] },
}

const tls: Readonly<Record<TlsFault, Expected>> = {
  truncated_handshake: { fails: ['connection_failed'] },
  not_tls: { fails: ['tls_error'] },
  stalled_handshake: { fails: ['timeout'] },
  unknown_name: { fails: ['tls_error'] },
  old_version: { fails: ['tls_error'] },
  no_common_cipher: { fails: ['tls_error'] },
  wrong_mac: { fails: ['tls_error'] },
  wrong_mac_later: { ...brokeOff, says: ['certificate_error', 'document_incomplete'], dom: /Les œuvres de l’été/ },
  reset_midway: { ...brokeOff, says: ['certificate_error', 'document_incomplete'], dom: /Les œuvres de l’été/ },
  ended_midway: { ...brokeOff, says: ['certificate_error', 'document_incomplete'], dom: /Les œuvres de l’été/ },
}

/** What the last but one test reads too. */
const read = ['/length-long/', '/abort-body/', '/chunk-unended/', '/ten-thousand/']
/** Tried each time. */
const always = ['/prints/']
process.stdout.write(`seed of the pages that fight: PROBANT_SEED=${String(seed)}\n`)
const tried = [...new Set([...read, ...always, ...byTurns(Object.keys(pages), 3)])]
const triedFaults = byTurns(tlsFaults, 3)

let site: FightingSite
let broken: BrokenTls
let sessions = ''
const running = new Set<number>()
const outcomes = new Map<string, Outcome>()

const leftFolders = async () => [
  ...(await readdir(sessions)).filter((name) => name.startsWith(`${process.pid}-`)),
  ...(await readdir(tmpdir())).filter((name) => name.startsWith(`probant-many-${process.pid}-`)),
]

beforeAll(async () => {
  site = await startFightingSite()
  broken = await startBrokenTls((await makeCertificates()).valid)
  const folder = await createSessionFolder()
  sessions = dirname(folder.path)
  await folder.remove()
  for (const { pid } of await processTree(process.pid)) running.add(pid)
  // What waits is begun first, beside what works.
  const tasks = [
    ...tried.map((path) => ({ name: path, url: site.origin + path })),
    ...triedFaults.map((fault) => ({ name: fault as string, url: `${broken.origins[fault]}/` })),
  ]
  tasks.sort((a, b) => Number(b.name in limitsOf) - Number(a.name in limitsOf))
  const allow = [site.address, ...broken.addresses]
  await runPool(tasks, 5, async ({ name, url }) => {
    outcomes.set(name, await captureOne(url, { allow, limits: limitsOf[name] ?? limits }))
  })
}, 900_000)
afterAll(async () => {
  await site.close()
  await broken.close()
})

function check(name: string, expected: Expected): void {
  const outcome = outcomes.get(name)
  if (outcome === undefined) throw new Error(`${name} was not tried`)
  const { facts, failure, texts } = outcome
  if (failure !== null) {
    expect([failure.code, failure.message]).toEqual([
      expected.fails?.find((code) => code === failure.code) ?? `one of ${expected.fails?.join() ?? 'none'}`,
      failure.message,
    ])
    for (const locale of ['en', 'fr'] as const)
      expect(createMessages(locale).format(`capture.failure.${failure.code}`, failure.data)).not.toMatch(/^$|[{}]/)
    return
  }
  if (facts === null) throw new Error(`${name} has neither facts nor a failure`)
  expect(expected.fails === undefined || expected.either === true).toBe(true)
  const said = facts.warnings.map(({ code }) => code)
  expect(said).toEqual(expect.arrayContaining([...(expected.says ?? [])]))
  if (expected.state !== undefined)
    expect(facts.completeness.state, JSON.stringify(facts.completeness.losses)).toBe(expected.state)
  expect(facts.quality.verdict === 'good' && facts.completeness.state === 'incomplete').toBe(false)
  if (expected.title !== undefined) expect(facts.title).toMatch(expected.title)
  if (expected.dom !== undefined) expect(texts.get('capture/dom.html')).toMatch(expected.dom)
  // Bounds hold, and are written down.
  expect(facts.captured_height).toBeLessThanOrEqual(limits.maxHeight)
  expect(facts.resources.bytes).toBeLessThanOrEqual(limits.totalBytes)
  expect(facts.title.length).toBeLessThanOrEqual(2_000)
  const environment = JSON.parse(texts.get('environment/environment.json') ?? '{}') as {
    tunnel: { limits: Record<string, unknown> }
  }
  const { requests, bodyBytes, totalBytes, maxHeight } = limits
  expect(environment.tunnel.limits).toMatchObject({ requests, bodyBytes, totalBytes, maxHeight })
  for (const locale of ['en', 'fr'] as const)
    for (const { code, data } of facts.warnings)
      expect(createMessages(locale).format(`capture.warning.${code}`, data)).not.toMatch(/undefined|NaN/)
}

describe('pages that fight end within their bounds, and it is told', () => {
  test.each(tried)('%s', (path) => check(path, pages[path] ?? expect.fail(path)))
})

describe('broken TLS ends in a failure or in what had come, and it is told', () => {
  test.each(triedFaults)('%s', (fault) => check(fault, tls[fault]))
})

test('what is kept of a broken answer is what the server sent of it', () => {
  const of = (path: string) => outcomes.get(path)?.har.find(({ request }) => request.url === site.origin + path)
  // Some bytes of a head and the whole of what followed; the body is not longer than that.
  for (const path of ['/length-long/', '/abort-body/', '/chunk-unended/'].filter((one) => outcomes.get(one)?.facts !== null)) {
    expect(of(path)?.response.status).toBe(200)
    expect(outcomes.get(path)?.facts?.resources.bytes).toBe(site.sent(path))
  }
  // Of ten thousand requests the others never left: the server was asked for what the package lists, and for no more.
  const listed = (outcomes.get('/ten-thousand/')?.har ?? []).filter(
    ({ request, response }) => request.url.includes('/tiny?') && response.status === 200,
  )
  const tiny = site.asked.filter((target) => target.startsWith('/tiny?'))
  expect(tiny.length).toBeLessThan(5_000)
  expect(new Set(listed.map(({ request }) => request.url))).toEqual(new Set(tiny.map((target) => site.origin + target)))
})

test('nothing is left behind: no process, no folder', async () => {
  expect((await processTree(process.pid)).filter(({ pid }) => !running.has(pid))).toEqual([])
  expect(await leftFolders()).toEqual([])
})
