import { sentToLogin } from './detect-detour.ts'
import type { PageObservation } from './page-observation.ts'

/** A page that asks to log in and has little else is a login page. */
const littleText = 600
const fewLinks = 25
/** A box over less of the window than this lets the page be read. */
const wallShare = 0.25
const payShare = 0.15
/** A page cut short by an offer holds the beginning of its article. */
const teaserText = 6_000

export type LoginWall = { readonly signal: 'status' | 'redirect' | 'password_field' | 'identifier_field' | 'overlay' }

/** A sign that one has to log in to see the page, or null. Pure. */
export function detectLoginWall(input: {
  readonly requestedUrl: string
  readonly finalUrl: string
  readonly status: number | null
  readonly page: PageObservation
}): LoginWall | null {
  const { page } = input
  if (input.status === 401 || input.status === 407) return { signal: 'status' }
  const asks = page.passwordFields > 0 || (page.identifierFields > 0 && page.asksToLogIn)
  if (asks && sentToLogin(input.requestedUrl, input.finalUrl)) return { signal: 'redirect' }
  if (page.loginShare >= wallShare) return { signal: 'overlay' }
  if (page.textLength >= littleText || page.links > fewLinks) return null
  if (page.passwordFields > 0) return { signal: 'password_field' }
  // Walls of several steps ask for an address or a name first; a newsletter's or a contact form does not ask to log in.
  if (page.identifierFields === 1 && page.otherFields === 0 && page.asksToLogIn) return { signal: 'identifier_field' }
  return null
}

export type Paywall = { readonly signal: 'overlay' | 'markup'; readonly percent: number }

/** A sign that only subscribers see the whole page, or null: a box over it, or its own metadata together with its words. Pure. */
export function detectPaywall(page: PageObservation): Paywall | null {
  const percent = Math.round(page.paywall.share * 100)
  if (page.paywall.share >= payShare) return { signal: 'overlay', percent }
  if (page.paywall.declared && page.paywall.words && page.textLength < teaserText) return { signal: 'markup', percent }
  return null
}
