import type { CaptureWarning } from './warnings.ts'

/** What was seen of the page, in its own world apart from the page's scripts. Texts are hostile. */
export type PageObservation = {
  /** Characters of rendered text, white space collapsed. */
  readonly textLength: number
  /** The first of it. */
  readonly textStart: string
  /** Pictures, canvases, videos, frames and embedded objects that are laid out. */
  readonly mediaCount: number
  readonly images: { readonly total: number; readonly missing: readonly string[] }
  readonly passwordFields: number
  readonly links: number
  /** Fixed or sticky boxes and dialogs in the viewport that speak of cookies or consent: share of the viewport, 0–1. */
  readonly consentShare: number
  readonly consentText: string
}

export type QualityInput = {
  readonly requestedUrl: string
  readonly finalUrl: string
  readonly status: number | null
  readonly title: string
  /** Response fields of the document, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly page: PageObservation
  /** Every pixel of the viewport's image has one colour; null when not measured. */
  readonly uniformViewport: boolean | null
  readonly pageHeight: number
  readonly capturedHeight: number
  readonly stillGrowing: boolean
  readonly resources: {
    readonly total: number
    readonly failed: number
    readonly failedUrls: readonly string[]
    readonly cut: readonly string[]
  }
  readonly certificateError: string | null
  readonly loadTimedOut: boolean
  /** Scripts that were ended because the page answered nothing, and the time they were given. */
  readonly scriptsEnded: { readonly count: number; readonly seconds: number }
  readonly dialogs: number
  readonly popups: number
  readonly navigationsPrevented: number
  readonly allowedAddresses: readonly string[]
  readonly isolation: 'namespaces' | 'override'
}

/**
 * Signals of a page that checks for robots instead of showing itself. Fields: `cf-mitigated: challenge` is documented by
 * Cloudflare; `x-datadome` and `x-amzn-waf-action: captcha|challenge` by their makers. Titles and sentences are those
 * of the challenge pages themselves.
 */
const challengeFields: readonly (readonly [name: string, value: RegExp])[] = [
  ['cf-mitigated', /challenge/i],
  ['x-amzn-waf-action', /captcha|challenge/i],
  ['x-datadome', /protected/i],
]
const challengeTitles =
  /^(just a moment|un instant|attention required!|access denied|pardon our interruption|are you a robot|ddos-guard|verify(ing)? you are human|security check)/i
const challengeSentences =
  /(checking your browser|verify(ing)? (that )?you are (a )?human|unusual traffic from your|complete the security check|enable javascript and cookies to continue|prouvez que vous (n['’]êtes pas un robot|êtes humain)|vérification (de votre navigateur|que vous êtes humain)|activez javascript et les cookies pour continuer)/i

/** A page whose text is shorter than this, with no picture, is called blank. */
const blankTextLength = 10
/** A challenge page says little else. */
const challengeTextLength = 1500
/** A page that asks for a password and has little else is a login page. */
const loginTextLength = 600
const loginLinks = 25
/** A banner over less than this share of the viewport is not worth a warning. */
const bannerShare = 0.1

const short = (text: string) => text.slice(0, 300)

/** Host without a leading `www.`: the comparison for "another site". */
function site(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : ''
}

/** Warnings in a fixed order, each with the figures it rests on. Pure. */
export function assessQuality(input: QualityInput): readonly CaptureWarning[] {
  const { page } = input
  const warnings: CaptureWarning[] = []
  const warn = (code: CaptureWarning['code'], data: CaptureWarning['data'] = {}) => warnings.push({ code, data })

  if (input.certificateError !== null) warn('certificate_error', { error: input.certificateError })
  if (input.status !== null && input.status >= 400) warn('http_error', { status: input.status })
  const field = challengeFields.find(
    ([name, value]) => value.test(input.headers[name] ?? '') && (name !== 'x-datadome' || (input.status ?? 200) >= 400),
  )
  const challenged =
    page.textLength < challengeTextLength && (challengeTitles.test(input.title.trim()) || challengeSentences.test(page.textStart))
  if (field !== undefined) warn('bot_wall', { signal: field[0] })
  else if (challenged) warn('bot_wall', { signal: 'text' })
  if (page.passwordFields > 0 && page.textLength < loginTextLength && page.links <= loginLinks)
    warn('login_wall', { fields: page.passwordFields })
  if (
    input.uniformViewport === true ||
    (input.uniformViewport === null && page.textLength < blankTextLength && page.mediaCount === 0)
  )
    warn('blank_page', { characters: page.textLength })
  if (page.consentShare >= bannerShare) warn('cookie_banner', { percent: Math.round(page.consentShare * 100) })
  if (page.images.missing.length > 0) {
    warn('missing_images', {
      missing: page.images.missing.length,
      total: page.images.total,
      first: short(page.images.missing[0] ?? ''),
    })
  }
  if (input.capturedHeight < input.pageHeight || input.stillGrowing) {
    warn('height_cut', {
      captured_height: input.capturedHeight,
      page_height: input.pageHeight,
      still_growing: input.stillGrowing ? 1 : 0,
    })
  }
  if (site(input.requestedUrl) !== site(input.finalUrl))
    warn('redirected_elsewhere', { from: short(input.requestedUrl), to: short(input.finalUrl) })
  if (input.loadTimedOut) warn('load_timeout')
  if (input.scriptsEnded.count > 0) warn('script_ended', input.scriptsEnded)
  if (input.dialogs > 0) warn('dialogs_dismissed', { count: input.dialogs })
  if (input.popups > 0) warn('popups_blocked', { count: input.popups })
  if (input.navigationsPrevented > 0) warn('navigation_prevented', { count: input.navigationsPrevented })
  if (input.resources.failed > 0) {
    warn('resources_failed', {
      failed: input.resources.failed,
      total: input.resources.total,
      first: short(input.resources.failedUrls[0] ?? ''),
    })
  }
  if (input.resources.cut.length > 0)
    warn('body_truncated', { count: input.resources.cut.length, first: short(input.resources.cut[0] ?? '') })
  if (input.allowedAddresses.length > 0) warn('allowed_private_address', { addresses: input.allowedAddresses.join(', ') })
  if (input.isolation === 'override') warn('isolation_override')
  return warnings
}
