import { describe, expect, test } from 'vitest'
import { assessQuality, type QualityInput } from './assess-quality.ts'
import { captureFailureCodes } from '../outcome/failures.ts'
import { gradeQuality } from './grade-quality.ts'
import type { PageObservation } from './page-observation.ts'
import { failureOfNetworkError } from '../outcome/name-failure.ts'
import { createMessages } from '../../../../platform/messages/messages.ts'

const page: PageObservation = {
  language: 'en',
  heading: 'Example',
  textLength: 4000,
  textStart: 'Lorem',
  mediaCount: 3,
  images: { total: 3, missing: [] },
  backgrounds: [],
  passwordFields: 0,
  identifierFields: 0,
  otherFields: 0,
  asksToLogIn: false,
  links: 40,
  frames: [],
  challengeMarks: [],
  consentShare: 0,
  consentText: '',
  consentButtons: false,
  loginShare: 0,
  paywall: { share: 0, text: '', declared: false, words: false },
  loading: { skeletonShare: 0, spinners: 0 },
  innerScroll: { visible: 0, height: 0 },
  pageWidth: 1280,
  allSeen: true,
}
const resources = { total: 9, failed: 0, failedUrls: [], failedVisible: 0, overLimit: 0, cut: [] }
const good: QualityInput = {
  requestedUrl: 'https://example.org/',
  finalUrl: 'https://www.example.org/home',
  status: 200,
  title: 'Example',
  headers: {},
  mediaType: 'text/html',
  page,
  requested: [],
  ink: null,
  capturedWidth: 1280,
  pageHeight: 3000,
  capturedHeight: 3000,
  stillGrowing: false,
  resources,
  certificateError: null,
  documentError: null,
  loadTimedOut: false,
  scriptsEnded: { count: 0, seconds: 10 },
  dialogs: 0,
  popups: 0,
  navigationsPrevented: 0,
  allowedAddresses: [],
  isolation: 'namespaces',
}
/** A page of few words and no link. */
const short: PageObservation = {
  ...page,
  textLength: 200,
  textStart: '',
  links: 0,
  images: { total: 0, missing: [] },
  mediaCount: 0,
}
const address = (requestedUrl: string, finalUrl: string) => ({ requestedUrl, finalUrl })
const codesOf = (change: Partial<QualityInput>) => assessQuality({ ...good, ...change }).map(({ code }) => code)

describe('quality of a capture', () => {
  test('a sound page has no warning', () => {
    expect(codesOf({})).toEqual([])
  })
  test.each<[string, Partial<QualityInput>]>([
    ['http_error', { status: 404 }],
    ['bot_wall', { headers: { 'cf-mitigated': 'challenge' } }],
    ['bot_wall', { status: 202, headers: { 'x-amzn-waf-action': 'challenge' }, page: short }],
    ['bot_wall', { title: 'Just a moment...', page: short }],
    ['bot_wall', { page: { ...short, textStart: 'Prouvez que vous n’êtes pas un robot' } }],
    ['bot_wall', { page: short, requested: ['https://geo.captcha-delivery.com/captcha/?a'] }],
    ['bot_wall', { page: short, requested: ['https://a.example/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1'] }],
    ['bot_wall', { page: { ...short, frames: [{ url: 'https://newassets.hcaptcha.com/captcha/v1/x', share: 0.2 }] } }],
    ['bot_wall', { page: { ...short, challengeMarks: ['px-captcha'] } }],
    ['login_wall', { page: { ...short, passwordFields: 1, links: 3 } }],
    ['login_wall', { page: { ...short, identifierFields: 1, asksToLogIn: true } }],
    ['login_wall', { page: { ...page, loginShare: 0.5 } }],
    [
      'login_wall',
      {
        ...address('https://a.example/doc/1', 'https://a.example/accounts/login?next=/doc/1'),
        page: { ...page, passwordFields: 1 },
      },
    ],
    ['soft_error', { page: { ...short, heading: 'Erreur 404 : page introuvable' } }],
    ['soft_error', { title: 'Sorry, this page doesn’t exist', page: short }],
    ['soft_error', { page: { ...short, heading: 'Cette annonce n’existe plus' } }],
    ['paywall', { page: { ...page, paywall: { ...page.paywall, share: 0.4 } } }],
    ['paywall', { page: { ...page, paywall: { share: 0, text: '', declared: true, words: true } } }],
    ['consent_page', { page: { ...short, consentButtons: true } }],
    ['blank_page', { ink: 0.0001, page: { ...short, textLength: 3 } }],
    ['blank_page', { ink: 0 }],
    ['still_loading', { page: { ...page, loading: { skeletonShare: 0.5, spinners: 0 } } }],
    ['still_loading', { page: { ...short, textLength: 10, loading: { skeletonShare: 0, spinners: 1 } } }],
    ['cookie_banner', { page: { ...page, consentShare: 0.4 } }],
    ['missing_images', { page: { ...page, images: { total: 3, missing: ['https://a/b.png'] } } }],
    ['height_cut', { capturedHeight: 2000 }],
    ['height_cut', { stillGrowing: true }],
    ['inner_scroll', { page: { ...page, innerScroll: { visible: 800, height: 9000 } } }],
    ['redirected_elsewhere', { finalUrl: 'https://parking.example/' }],
    ['redirected_home', address('https://example.org/shop/item-7', 'https://example.org/')],
    ['other_language', { ...address('https://example.org/fr/conditions', 'https://example.org/en/conditions') }],
    ['certificate_error', { certificateError: 'ERR_CERT_DATE_INVALID' }],
    ['width_cut', { page: { ...page, pageWidth: 5000 } }],
    ['document_incomplete', { documentError: 'ERR_INCOMPLETE_CHUNKED_ENCODING' }],
    ['load_timeout', { loadTimedOut: true }],
    ['script_ended', { scriptsEnded: { count: 1, seconds: 10 } }],
    ['dialogs_dismissed', { dialogs: 2 }],
    ['popups_blocked', { popups: 1 }],
    ['navigation_prevented', { navigationsPrevented: 1 }],
    ['resources_failed', { resources: { ...resources, failed: 1, failedUrls: ['https://a/x.js'] } }],
    ['requests_limited', { resources: { ...resources, overLimit: 12 } }],
    ['body_truncated', { resources: { ...resources, cut: ['a'] } }],
    ['shown_by_viewer', { mediaType: 'application/pdf' }],
    ['allowed_private_address', { allowedAddresses: ['127.0.0.1:80'] }],
    ['isolation_override', { isolation: 'override' }],
  ])('%s', (code, change) => {
    expect(codesOf(change)).toEqual([code])
    for (const warning of assessQuality({ ...good, ...change })) {
      for (const locale of ['en', 'fr'] as const)
        expect(createMessages(locale).format(`capture.warning.${warning.code}`, warning.data)).not.toMatch(/^$|[{}]|undefined/)
    }
  })
  test.each<[string, Partial<QualityInput>]>([
    [
      'a long article about captchas',
      { title: 'How sites verify you are human', page: { ...page, textStart: 'verify you are human' } },
    ],
    ['a short one, with links', { page: { ...page, textLength: 900, textStart: 'Sites verify you are human', links: 30 } }],
    [
      'a short one, with headings and a few links',
      { page: { ...page, textLength: 900, textStart: 'verify you are human', links: 4 } },
    ],
    ['a login box among much else', { page: { ...page, passwordFields: 1 } }],
    ['a newsletter form', { page: { ...short, identifierFields: 1 } }],
    ['a contact form with a captcha', { page: { ...short, identifierFields: 1, otherFields: 2, challengeMarks: ['recaptcha'] } }],
    [
      'Cloudflare’s script on an ordinary page',
      { page: short, requested: ['https://a.example/cdn-cgi/challenge-platform/scripts/jsd/main.js'] },
    ],
    ['DataDome’s field on an ordinary page', { headers: { 'x-datadome': 'protected' } }],
    ['a dark first window', { ink: null, page: { ...page, textLength: 30 } }],
    ['a menu beside the window', { page: { ...page, pageWidth: 1300 } }],
    ['a few words', { ink: 0.002, page: { ...short, textLength: 11 } }],
    ['a heading with 404 in it', { title: 'Room 404: the hotel', page: { ...short, heading: '404 Media, a portrait' } }],
    ['a long page on missing pages', { page: { ...page, heading: 'Page not found: a history' } }],
    ['the same site under another name', address('https://example.org/a', 'https://m.example.org/a')],
    ['the first page asked for', address('https://example.org/index.html', 'https://example.org/')],
    ['a language added', address('https://example.org/', 'https://example.org/fr/')],
    ['a department called it', { ...address('https://example.org/it/help', 'https://example.org/de/help') }],
    ['a small box for consent', { page: { ...page, consentShare: 0.05, consentButtons: true } }],
    ['a wheel among text', { page: { ...page, loading: { skeletonShare: 0.1, spinners: 2 } } }],
    [
      'an article that is not free, shown whole',
      { page: { ...page, textLength: 20_000, paywall: { ...page.paywall, declared: true, words: true } } },
    ],
  ])('no warning: %s', (_name, change) => {
    expect(codesOf(change)).toEqual([])
  })
})

describe('the gate', () => {
  const rows = {
    pageHeight: 41_230,
    capturedHeight: 41_230,
    stillGrowing: false,
    images: { total: 30, missing: [] as readonly string[] },
    innerScroll: page.innerScroll,
    complete: true,
  }
  const grade = (change: Partial<QualityInput>) => gradeQuality(assessQuality({ ...good, ...change }), rows)
  test.each<[string, Partial<QualityInput>, readonly string[]]>([
    ['good', {}, []],
    ['good', { dialogs: 3, popups: 2 }, []],
    ['good', { resources: { ...resources, failed: 2 } }, []],
    ['doubtful', { resources: { ...resources, failed: 2, failedVisible: 1 } }, ['retry']],
    ['doubtful', { page: { ...page, consentShare: 0.4 } }, ['cookie_option']],
    ['doubtful', { page: { ...page, loading: { skeletonShare: 0.5, spinners: 0 } } }, ['retry']],
    ['doubtful', { finalUrl: 'https://parking.example/' }, ['check_address']],
    ['poor', { status: 404 }, ['check_address']],
    ['poor', { status: 503 }, ['retry']],
    ['poor', { status: 429 }, ['retry']],
    ['poor', { status: 401 }, ['interactive']],
    ['poor', { status: 403, headers: { 'cf-mitigated': 'challenge' } }, ['retry', 'interactive']],
    ['poor', { ink: 0 }, ['retry']],
    ['poor', { page: { ...short, loading: { skeletonShare: 0, spinners: 1 }, textLength: 5 } }, ['retry']],
    ['poor', { page: { ...short, consentButtons: true } }, ['interactive', 'cookie_option']],
  ])('%s: %j', (verdict, change, advice) => {
    const facts = grade(change)
    expect(facts.verdict).toBe(verdict)
    expect(facts.advice).toEqual(advice)
  })
  test('a record with a loss is doubtful, whatever the page', () => {
    expect(gradeQuality([], { ...rows, complete: false })).toMatchObject({ verdict: 'doubtful', advice: ['retry'] })
    expect(gradeQuality([{ code: 'blank_page', data: {} }], { ...rows, complete: false }).verdict).toBe('poor')
  })
  test('coverage is 100 only when every row was photographed', () => {
    const of = (change: Partial<typeof rows>) => gradeQuality([], { ...rows, ...change }).coverage
    expect(of({})).toEqual({ percent: 100, captured_height: 41_230, page_height: 41_230, missing_images: 0, images: 30 })
    expect(of({ capturedHeight: 41_229 }).percent).toBe(99)
    expect(of({ stillGrowing: true }).percent).toBe(99)
    expect(of({ capturedHeight: 0 }).percent).toBe(0)
    expect(of({ innerScroll: { visible: 700, height: 41_930 } })).toMatchObject({ percent: 50, page_height: 82_460 })
    expect(of({ images: { total: 30, missing: ['a', 'b', 'c'] } }).missing_images).toBe(3)
    for (const locale of ['en', 'fr'] as const) {
      const words = createMessages(locale).format(
        'capture.quality.coverage',
        of({ images: { total: 30, missing: ['a', 'b', 'c'] } }),
      )
      expect(words).toMatch(/100.?% .*41.230.px.*3 (pictures|images)/u)
    }
  })
  test('every verdict and every advice that is given in words has them in both languages', () => {
    for (const locale of ['en', 'fr'] as const)
      for (const id of [
        'verdict.good',
        'verdict.doubtful',
        'verdict.poor',
        'sentence.good',
        'sentence.doubtful',
        'sentence.poor',
        'advice.retry',
        'advice.cookie_option',
        'advice.check_address',
      ] as const)
        expect(createMessages(locale).format(`capture.quality.${id}`)).not.toBe('')
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
