import { detectBotWall } from './detect-bot-wall.ts'
import { otherLanguage, sameSite, saysItIsMissing, sentHome, sentToConsent } from './detect-detour.ts'
import { detectLoginWall, detectPaywall } from './detect-login-wall.ts'
import type { PageObservation } from './page-observation.ts'
import type { CaptureWarning } from '../outcome/warnings.ts'

export type QualityInput = {
  readonly requestedUrl: string
  readonly finalUrl: string
  readonly status: number | null
  readonly title: string
  /** Response fields of the document, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** `Content-Type` of the document, as the browser read it. */
  readonly mediaType: string
  readonly page: PageObservation
  /** Addresses that the page asked for, the first of them. */
  readonly requested: readonly string[]
  /** Share of the pixels of the page's images that differ from their commonest colour; null: too many to be nearly empty. */
  readonly ink: number | null
  readonly capturedWidth: number
  readonly pageHeight: number
  readonly capturedHeight: number
  readonly stillGrowing: boolean
  readonly resources: {
    readonly total: number
    readonly failed: number
    readonly failedUrls: readonly string[]
    /** Of those that failed: styles, fonts, frames, and what the page's own site was asked for by scripts. */
    readonly failedVisible: number
    /** Requests that were not made because the page had made as many as a capture lets it. */
    readonly overLimit: number
    readonly cut: readonly string[]
  }
  readonly certificateError: string | null
  /** The connection ended, or broke its own rules, before the whole document had come. */
  readonly documentError: string | null
  readonly loadTimedOut: boolean
  /** Scripts that were ended because the page answered nothing, and the time they were given. */
  readonly scriptsEnded: { readonly count: number; readonly seconds: number }
  readonly dialogs: number
  readonly popups: number
  readonly navigationsPrevented: number
  readonly allowedAddresses: readonly string[]
  readonly isolation: 'namespaces' | 'override'
}

/** A page whose text is shorter than this and whose picture is of one colour but for a trace is called blank. */
const blankTextLength = 10
const blankInk = 0.0005
/** A box for consent over less than this share of the viewport is not worth a warning; a cookie wall has little else. */
const bannerShare = 0.1
const cookieWallText = 800
const fewLinks = 10
/** Text of a page of which little more than its skeleton came. */
const skeletonText = 200
const skeletonShare = 0.25

/** Documents that are no pages: the browser shows them in a viewer of its own. */
const viewers = /^(application\/pdf|(image|audio|video)\/(?!svg))/i

/** Pixels that pages overflow their window by without anything of theirs being there. */
const sideways = 64

const short = (text: string) => text.slice(0, 300)

/** Warnings in a fixed order, each with the figures it rests on. Pure. */
export function assessQuality(input: QualityInput): readonly CaptureWarning[] {
  const { page } = input
  const warnings: CaptureWarning[] = []
  const warn = (code: CaptureWarning['code'], data: CaptureWarning['data'] = {}) => warnings.push({ code, data })

  if (input.certificateError !== null) warn('certificate_error', { error: input.certificateError })
  if (input.status !== null && input.status >= 400) warn('http_error', { status: input.status })
  const { requestedUrl, finalUrl } = input
  const missing = input.status !== null && input.status >= 400 ? null : saysItIsMissing(input.title, page)
  if (missing !== null) warn('soft_error', { words: missing })
  const robots = detectBotWall(input)
  if (robots !== null) warn('bot_wall', { ...robots })
  const login = robots === null ? detectLoginWall(input) : null
  if (login !== null) warn('login_wall', { ...login })
  const paid = robots === null && login === null ? detectPaywall(page) : null
  if (paid !== null) warn('paywall', { ...paid })
  const sent = sentToConsent(requestedUrl, finalUrl)
  const onlyConsent = page.textLength < cookieWallText && page.links <= fewLinks && page.consentShare < bannerShare
  if (page.consentButtons && (sent || onlyConsent) && robots === null)
    warn('consent_page', { redirected: sent ? 1 : 0, to: short(finalUrl) })
  const nearlyBlank = input.ink !== null && (input.ink === 0 || (input.ink < blankInk && page.textLength < blankTextLength))
  if (nearlyBlank) warn('blank_page', { characters: page.textLength })
  const waits =
    page.loading.skeletonShare >= skeletonShare ||
    (page.loading.spinners > 0 && page.textLength < skeletonText && page.images.total === 0)
  if (waits && robots === null)
    warn('still_loading', { percent: Math.round(page.loading.skeletonShare * 100), characters: page.textLength })
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
  if (page.pageWidth > input.capturedWidth + sideways)
    warn('width_cut', { captured_width: input.capturedWidth, page_width: page.pageWidth })
  if (page.innerScroll.height > page.innerScroll.visible) warn('inner_scroll', { ...page.innerScroll })
  if (!sameSite(requestedUrl, finalUrl)) warn('redirected_elsewhere', { from: short(requestedUrl), to: short(finalUrl) })
  else if (sentHome(requestedUrl, finalUrl)) warn('redirected_home', { from: short(requestedUrl), to: short(finalUrl) })
  const languages = otherLanguage(requestedUrl, finalUrl, page.language)
  if (languages !== null) warn('other_language', { ...languages })
  if (viewers.test(input.mediaType)) warn('shown_by_viewer', { type: input.mediaType.slice(0, 100) })
  if (input.documentError !== null) warn('document_incomplete', { error: input.documentError })
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
      visible: input.resources.failedVisible,
    })
  }
  if (input.resources.overLimit > 0) warn('requests_limited', { count: input.resources.overLimit, total: input.resources.total })
  if (input.resources.cut.length > 0)
    warn('body_truncated', { count: input.resources.cut.length, first: short(input.resources.cut[0] ?? '') })
  if (input.allowedAddresses.length > 0) warn('allowed_private_address', { addresses: input.allowedAddresses.join(', ') })
  if (input.isolation === 'override') warn('isolation_override')
  return warnings
}
