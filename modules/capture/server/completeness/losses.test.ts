/** Answers that are not whole: each is named, and a capture with a loss is never complete. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeCertificates } from '../../../../testing/site/certificates.ts'
import { faultyPages } from '../../../../testing/site/faulty-pages.ts'
import { startWireSite, type WireSite } from '../../../../testing/site/wire-site.ts'
import { captureForReading, type ReadCapture } from './read-capture.fixture.ts'

let plain: WireSite
let multiplexed: WireSite
let capture: ReadCapture | undefined

beforeAll(async () => {
  const { valid } = await makeCertificates()
  plain = await startWireSite('http', { more: faultyPages })
  multiplexed = await startWireSite('h2', { identity: valid, more: faultyPages })
}, 120_000)
afterAll(() => Promise.all([plain.close(), multiplexed.close()]))
afterEach(async () => capture?.remove())

const read = async (site: WireSite, path: string, settleMs = 20_000): Promise<ReadCapture> => {
  capture = await captureForReading(site.origin + path, { allow: [site.address], limits: { settleMs } })
  return capture
}
/** Path → what became of it: verdicts and reasons of its exchanges. */
const verdictsOf = (one: ReadCapture) =>
  Object.fromEntries(
    [...Map.groupBy(one.reconciliation.exchanges, ({ url }) => new URL(url).pathname)].map(([path, rows]) => [
      path,
      [...new Set(rows.map(({ verdict, reasons }) => [verdict, ...reasons].join(' ')))].join(', '),
    ]),
  )

test('HTTP/1: what broke off is lost by name; what nobody sent, gave up or could read is explained', async () => {
  const one = await read(plain, '/faults/')
  expect(verdictsOf(one)).toEqual({
    '/faults/': 'agrees',
    '/held': 'agrees',
    '/release': 'agrees',
    '/whole': 'agrees',
    '/shorter-than-said': 'lost body_incomplete',
    '/chunks-without-end': 'lost body_incomplete',
    '/reset-midway': 'lost body_incomplete',
    '/no-answer': 'explained no_answer',
    '/not-gzip': 'explained failed_in_browser',
    '/longer-than-said': 'agrees',
    '/given-up': 'explained given_up_by_browser',
    '/beacon-without-answer': 'explained no_answer_awaited',
  })
  expect(one.result.facts.completeness.state).toBe('incomplete')
  const lost = one.result.facts.completeness.losses.map(
    ({ url, reason }) => `${URL.canParse(url) ? new URL(url).pathname : url} ${reason}`,
  )
  expect(lost.toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    '/chunks-without-end body_incomplete',
    '/reset-midway body_incomplete',
    '/shorter-than-said body_incomplete',
    // What came after the announced end is in the packets, and in no record of the archive.
    `${plain.address} http1_malformed`,
  ])
  expect(one.result.facts.checklist.find(({ id }) => id === 'network_record')?.result).toBe('fail')
  expect(one.reconciliation.requests.map(({ url, verdict }) => [url, verdict])).toEqual([['http://10.0.0.1/refused', 'refused']])
}, 120_000)

test('a request that is still unanswered when the capture ends makes it incomplete', async () => {
  const one = await read(plain, '/unanswered/', 1_500)
  const { state, losses } = one.result.facts.completeness
  expect(state).toBe('incomplete')
  // The page's other answers may come late on a busy machine: then they are missing too, and said to be.
  expect(losses).toContainEqual({ url: `${plain.origin}/never`, reason: 'response_missing' })
}, 120_000)

test('HTTP/2: a stream that the server resets is a loss, a content that ends early is said', async () => {
  const one = await read(multiplexed, '/stream-faults/')
  expect(verdictsOf(one)).toEqual({
    '/stream-faults/': 'agrees',
    '/held': 'agrees',
    '/release': 'agrees',
    '/whole': 'agrees',
    '/stream-reset': 'lost http2_stream_reset',
    '/stream-half-gzip': 'lost content_undecodable',
  })
  expect(one.result.facts.completeness.state).toBe('incomplete')
}, 120_000)
