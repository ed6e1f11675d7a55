import { describe, expect, test } from 'vitest'
import { assessQuality, type QualityInput } from './assess-quality.ts'
import { captureFailureCodes } from './failures.ts'
import { failureOfNetworkError } from './name-failure.ts'
import { buildChecklist, type Measurements } from './build-checklist.ts'
import { createMessages } from '../../../platform/messages/messages.ts'

const good: QualityInput = {
  requestedUrl: 'https://example.org/',
  finalUrl: 'https://www.example.org/home',
  status: 200,
  title: 'Example',
  headers: {},
  page: {
    textLength: 4000,
    textStart: 'Lorem',
    mediaCount: 3,
    images: { total: 3, missing: [] },
    passwordFields: 0,
    links: 40,
    consentShare: 0,
    consentText: '',
  },
  uniformViewport: null,
  pageHeight: 3000,
  capturedHeight: 3000,
  stillGrowing: false,
  resources: { total: 30, failed: 0, failedUrls: [], cut: [] },
  certificateError: null,
  loadTimedOut: false,
  scriptsEnded: { count: 0, seconds: 10 },
  dialogs: 0,
  popups: 0,
  navigationsPrevented: 0,
  allowedAddresses: [],
  isolation: 'namespaces',
}
const codesOf = (change: Partial<QualityInput>) => assessQuality({ ...good, ...change }).map(({ code }) => code)

describe('quality of a capture', () => {
  test('a sound page has no warning', () => {
    expect(codesOf({})).toEqual([])
  })
  test.each<[string, Partial<QualityInput>]>([
    ['http_error', { status: 404 }],
    ['bot_wall', { headers: { 'cf-mitigated': 'challenge' } }],
    ['bot_wall', { title: 'Just a moment...', page: { ...good.page, textLength: 200 } }],
    ['bot_wall', { page: { ...good.page, textLength: 200, textStart: 'Prouvez que vous n’êtes pas un robot' } }],
    ['login_wall', { page: { ...good.page, textLength: 100, passwordFields: 1, links: 3 } }],
    ['blank_page', { page: { ...good.page, textLength: 3, mediaCount: 0 } }],
    ['blank_page', { uniformViewport: true }],
    ['cookie_banner', { page: { ...good.page, consentShare: 0.4 } }],
    ['missing_images', { page: { ...good.page, images: { total: 3, missing: ['https://a/b.png'] } } }],
    ['height_cut', { capturedHeight: 2000 }],
    ['height_cut', { stillGrowing: true }],
    ['redirected_elsewhere', { finalUrl: 'https://parking.example/' }],
    ['certificate_error', { certificateError: 'ERR_CERT_DATE_INVALID' }],
    ['load_timeout', { loadTimedOut: true }],
    ['dialogs_dismissed', { dialogs: 2 }],
    ['popups_blocked', { popups: 1 }],
    ['navigation_prevented', { navigationsPrevented: 1 }],
    ['resources_failed', { resources: { total: 9, failed: 1, failedUrls: ['https://a/x.js'], cut: [] } }],
    ['body_truncated', { resources: { total: 9, failed: 0, failedUrls: [], cut: ['a'] } }],
    ['allowed_private_address', { allowedAddresses: ['127.0.0.1:80'] }],
    ['isolation_override', { isolation: 'override' }],
  ])('%s', (code, change) => {
    expect(codesOf(change)).toEqual([code])
    for (const warning of assessQuality({ ...good, ...change })) {
      for (const locale of ['en', 'fr'] as const)
        expect(createMessages(locale).format(`capture.warning.${warning.code}`, warning.data)).not.toBe('')
    }
  })
  test('a long article that mentions a captcha, or a page with a login box among much else, has none', () => {
    expect(codesOf({ page: { ...good.page, textStart: 'How sites verify you are human' } })).toEqual([])
    expect(codesOf({ page: { ...good.page, passwordFields: 1 } })).toEqual([])
  })
})

test('network errors have a code, and every code has its words in both languages', () => {
  expect(failureOfNetworkError('net::ERR_TOO_MANY_REDIRECTS')).toBe('too_many_redirects')
  expect(failureOfNetworkError('net::ERR_SSL_PROTOCOL_ERROR')).toBe('tls_error')
  expect(failureOfNetworkError('net::ERR_TUNNEL_CONNECTION_FAILED')).toBeNull()
  expect(failureOfNetworkError('net::ERR_SOMETHING_NEW')).toBe('connection_failed')
  for (const code of captureFailureCodes) {
    for (const locale of ['en', 'fr'] as const) expect(createMessages(locale).format(`capture.failure.${code}`)).not.toBe('')
  }
})

test('checklist of NF Z67-147: what was not measured says so, what failed fails, every line has its words', () => {
  const measured: Measurements = {
    machineModel: null,
    machineSerial: null,
    virtualisation: null,
    os: 'Debian',
    kernel: '6',
    patchedAt: null,
    browser: 'Chromium 156',
    extensionsOff: true,
    localAddresses: [],
    dnsServers: [],
    systemProxies: ['http_proxy'],
    clockSynchronised: null,
    originClockOffset: 90,
    profileEntries: 0,
    profileSha256: 'e3',
    responses: 3,
    responsesFromDiskCache: 1,
    responsesOfUnknownOrigin: 1,
    startedAt: 'a',
    finishedAt: 'b',
    firstUrlVisited: 'https://a/',
    requestedUrl: 'https://a/',
    path: ['https://a/'],
    images: 2,
    connections: 1,
    exchanges: 1,
    losses: null,
    processesLeft: 0,
  }
  const lines = buildChecklist(measured)
  const resultOf = (id: string) => lines.find((line) => line.id === id)?.result
  expect(['machine', 'addresses', 'dns', 'network_provider', 'protection', 'network_record'].map(resultOf)).toEqual(
    Array.from({ length: 6 }, () => 'not_measured'),
  )
  expect(resultOf('operating_system')).toBe('not_measured')
  expect(['proxy', 'clock', 'empty_profile'].map(resultOf)).toEqual(['fail', 'fail', 'fail'])
  expect(['browser', 'no_saved_data', 'end_of_session', 'screenshots'].map(resultOf)).toEqual(['pass', 'pass', 'pass', 'pass'])
  // The operating system's bare word is no comparison, and its word against the clock fails it.
  const clock = (clockSynchronised: boolean | null, originClockOffset: number | null) =>
    buildChecklist({ ...measured, clockSynchronised, originClockOffset }).find(({ id }) => id === 'clock')?.result
  expect([clock(true, null), clock(false, null), clock(false, 0), clock(null, 0), clock(null, -5), clock(true, 6)]).toEqual([
    'not_measured',
    'fail',
    'fail',
    'pass',
    'pass',
    'fail',
  ])
  const machine = (machineModel: string | null, machineSerial: string | null, virtualisation: string | null) =>
    buildChecklist({ ...measured, machineModel, machineSerial, virtualisation }).find(({ id }) => id === 'machine')?.result
  expect([machine('HP', 'X1', null), machine('KVM', null, 'kvm'), machine('HP', null, null), machine(null, null, 'kvm')]).toEqual(
    ['pass', 'pass', 'not_measured', 'not_measured'],
  )
  for (const locale of ['en', 'fr'] as const) {
    const messages = createMessages(locale)
    for (const { id, data } of lines) {
      expect(messages.has(`capture.checklist.${id}.title`)).toBe(true)
      const detail = `capture.checklist.${id}.detail`
      if (!messages.has(detail)) throw new Error(`${detail} has no words`)
      const values = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, value ?? '–'] as const))
      const shown = Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, typeof value === 'boolean' ? String(value) : value] as const),
      )
      const sentence = messages.format(detail, shown)
      // Every value of the line that the sentence names is in it, and no argument is left open.
      expect(sentence).not.toMatch(/[{}]|undefined|null|NaN/)
    }
  }
})
