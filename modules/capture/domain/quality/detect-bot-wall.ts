import type { PageObservation } from './page-observation.ts'

/**
 * Signals of a page that checks for robots instead of showing itself. `cf-mitigated: challenge` is documented by Cloudflare;
 * `x-datadome` and `x-amzn-waf-action: captcha|challenge` by their makers (AWS WAF answers 405 and 202 with them).
 */
const fields: readonly (readonly [name: string, value: RegExp, maker: string])[] = [
  ['cf-mitigated', /challenge/i, 'Cloudflare'],
  ['x-amzn-waf-action', /captcha|challenge/i, 'AWS WAF'],
]

/**
 * Addresses from which only a challenge is loaded. Cloudflare's `/scripts/jsd/` and the sensors of Akamai and Imperva run on
 * ordinary pages too and are therefore not in the list.
 */
const addresses: readonly (readonly [address: RegExp, maker: string])[] = [
  [/^https?:\/\/[^/]*\/cdn-cgi\/challenge-platform\/h\/[a-z]\/orchestrate\//i, 'Cloudflare'],
  [/^https?:\/\/(geo|interstitial|c)\.captcha-delivery\.com[:/]/i, 'DataDome'],
  [/^https?:\/\/captcha\.(px-cdn|perimeterx)\.net[:/]/i, 'HUMAN'],
  [/^https?:\/\/[^/]*\.captcha-sdk\.awswaf\.com[:/]/i, 'AWS WAF'],
  [/^https?:\/\/[^/]*\/_sec\/cp_challenge\//i, 'Akamai'],
  [/^https?:\/\/[^/]*\/_Incapsula_Resource\?.*(CWUDNSAI|incident_id|SWUDNSAI)/i, 'Imperva'],
]

/** Frames in which a visitor proves to be human. Forms have them too: only a page of little else is one. */
const puzzles: readonly (readonly [address: RegExp, maker: string])[] = [
  [/^https?:\/\/challenges\.cloudflare\.com[:/]/i, 'Cloudflare Turnstile'],
  [/^https?:\/\/[^/]*\.?hcaptcha\.com[:/]/i, 'hCaptcha'],
  [/^https?:\/\/(www\.)?(google\.com|recaptcha\.net)(:\d+)?\/recaptcha\//i, 'reCAPTCHA'],
  [/^https?:\/\/[^/]*\.(arkoselabs|funcaptcha)\.com[:/]/i, 'Arkose Labs'],
  [/^https?:\/\/[^/]*\.geetest\.com[:/]/i, 'GeeTest'],
]

/** Marks of the challenge's own page, then those of widgets. */
const ownMarks: Readonly<Record<string, string>> = {
  'cf-challenge': 'Cloudflare',
  'px-captcha': 'HUMAN',
  ddg: 'DDoS-Guard',
  'sec-if-cpt': 'Akamai',
  'awswaf-captcha': 'AWS WAF',
  incapsula: 'Imperva',
  datadome: 'DataDome',
}
const widgetMarks: Readonly<Record<string, string>> = {
  turnstile: 'Cloudflare Turnstile',
  hcaptcha: 'hCaptcha',
  recaptcha: 'reCAPTCHA',
}

/** Titles that only challenge pages have, whole. */
const titles =
  /^(just a moment(\.\.\.|…)?|un instant(\.\.\.|…)?|attention required! \| cloudflare|pardon our interruption(\.\.\.|…)?|ddos-guard|robot or human\??|are you a robot\??|access to this page has been denied\.?|human verification|client challenge|vérification de sécurité|verify(ing)? you are human\.?|security check(point)?)$/i
const refusals = /^(access denied|accès refusé|request unsuccessful|blocked)\.?$/i
const sentences =
  /(checking (if the site connection is secure|your browser)|verify(ing)? (that )?you are (a )?human|verify you.re (a )?human|confirm (that )?you are (a )?human|press (&|and) hold|unusual (traffic|activity) from your|complete the security check|enable javascript and cookies to continue|incapsula incident id|powered and protected by|reference #\d|prouvez que vous (n['’]êtes pas un robot|êtes humain)|confirme[rz] que vous (n['’]êtes pas un robot|êtes humain)|vérification (de votre navigateur|que vous êtes humain)|vérifier que vous êtes (un )?humain|activez javascript et les cookies pour continuer|trafic inhabituel)/i

/** A challenge page says little else, and leads nowhere. */
const challengeText = 1500
const nearlyOnly = 400
const fewLinks = 8

export type BotWall = {
  /** Where it shows: a field of the answer, an address that was asked for, an element, the title, or its words. */
  readonly signal: 'field' | 'address' | 'element' | 'text'
  /** The field, or the maker of the challenge; empty when the words alone say it. */
  readonly name: string
}

/** A sign that the page was replaced by a check for robots, or null. Pure. */
export function detectBotWall(input: {
  readonly status: number | null
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  readonly page: PageObservation
  /** Addresses that the page asked for. */
  readonly requested: readonly string[]
}): BotWall | null {
  const { headers, page, requested } = input
  const status = input.status ?? 200
  const field = fields.find(([name, value]) => value.test(headers[name] ?? ''))
  if (field !== undefined) return { signal: 'field', name: field[0] }
  // These two stand in every answer of the sites they protect: only a refusal with them is a wall.
  if (headers['x-datadome'] !== undefined && (status === 403 || status === 429)) return { signal: 'field', name: 'x-datadome' }

  if (page.textLength >= challengeText || page.links > 25) return null
  const unwelcome = status >= 400 || status === 202
  const address = addresses.find(([pattern]) => requested.some((url) => pattern.test(url)))
  if (address !== undefined && (unwelcome || page.links <= fewLinks)) return { signal: 'address', name: address[1] }
  const own = page.challengeMarks.find((mark) => mark in ownMarks)
  if (own !== undefined && (unwelcome || page.links <= fewLinks)) return { signal: 'element', name: ownMarks[own] ?? own }

  const title = input.title.trim()
  if (titles.test(title)) return { signal: 'text', name: '' }
  if (
    unwelcome &&
    refusals.test(title) &&
    /akamai|cloudflare|incapsula|imperva|reference #/i.test(`${headers['server']} ${page.textStart}`)
  )
    return { signal: 'text', name: '' }
  const says = sentences.test(page.textStart)
  const alone = page.textLength < nearlyOnly && page.links <= fewLinks
  const puzzle =
    puzzles.find(([pattern]) => page.frames.some(({ url }) => pattern.test(url)))?.[1] ??
    widgetMarks[page.challengeMarks.find((mark) => mark in widgetMarks) ?? '']
  const form = page.passwordFields + page.identifierFields + page.otherFields > 0
  if (puzzle !== undefined && !form && (alone || (says && page.links <= fewLinks))) return { signal: 'element', name: puzzle }
  if (says && (unwelcome || alone) && page.links <= fewLinks && !form) return { signal: 'text', name: '' }
  return null
}
