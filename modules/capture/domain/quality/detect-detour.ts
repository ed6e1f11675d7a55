/** Signs that another page came instead of the one that was asked for, read from the two addresses and from the page. */
import type { PageObservation } from './page-observation.ts'

const loginPath =
  /(^|[/._-])(log-?in|log-?on|sign-?in|connexion|se-connecter|authentification|authenticate|authorize|identification|sso|checkpoint|accounts?\/(login|signin))([/._?-]|$)/i
const consentPlace = /^(consent|guce|cmp|privacy-gate)\.|\/(collectconsent|consent|cookie-?wall|privacy-?(gate|wall))([/?.]|$)/i
const missingWords =
  /^\W*((error|erreur)\W{0,3})?(404|410)\W+.{0,30}(not found|introuvable|error|erreur|oops|gone)|^\W*(error|erreur)\W{0,3}(404|410)\b|\b(page|document|resource|article|ressource|annonce|produit|product|listing)\b.{0,30}\b(was not found|not found|could not be found|can.t be found|(est )?introuvable|n.a pas été trouvée?|does ?n.t exist|no longer (exists|available)|is no longer available|n.existe (pas|plus)|n.est plus disponible)/i
/** A page that says so at length says something else too. */
const shortPage = 1500

const language =
  /^(aa|ar|bg|bn|ca|cs|da|de|el|en|es|et|eu|fa|fi|fr|ga|gl|he|hi|hr|hu|hy|id|is|it|ja|ka|ko|lb|lt|lv|mk|ms|mt|nb|nl|nn|no|pl|pt|ro|ru|sk|sl|sq|sr|sv|th|tr|uk|ur|vi|zh)(?:[-_][a-z]{2})?$/i

/** Host without a leading `www.` and with its port; empty when it cannot be read. */
function siteOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : ''
}

/** One of two hosts is the other or under it: `m.example.org` is no other site than `example.org`. */
export function sameSite(one: string, other: string): boolean {
  const [a, b] = [siteOf(one), siteOf(other)]
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`)
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname + new URL(url).search : '')
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '')

/** The visitor was sent to a page for logging in that was not asked for. */
export function sentToLogin(requested: string, final: string): boolean {
  const named = (url: string) =>
    loginPath.test(pathOf(url).split('?')[0] ?? '') || /^(login|signin|sso|auth|accounts?|connexion)\./i.test(hostOf(url))
  return !named(requested) && named(final)
}

/** The visitor was sent to a page for consent that was not asked for. */
export function sentToConsent(requested: string, final: string): boolean {
  const named = (url: string) => consentPlace.test(hostOf(url)) || consentPlace.test(pathOf(url).split('?')[0] ?? '')
  return !named(requested) && named(final)
}

/** The page's own words say that there is no such page. Returns them, or null. */
export function saysItIsMissing(title: string, page: PageObservation): string | null {
  if (page.textLength >= shortPage) return null
  return [page.heading, title].find((words) => missingWords.test(words.trim()))?.slice(0, 200) ?? null
}

/** Asked for a page of the site, shown its first page. */
export function sentHome(requested: string, final: string): boolean {
  if (!URL.canParse(requested) || !URL.canParse(final) || !sameSite(requested, final)) return false
  const segments = (url: string) => new URL(url).pathname.split('/').filter((part) => part !== '')
  const [from, to] = [segments(requested), segments(final)]
  const isHome = (parts: readonly string[]) =>
    parts.length === 0 ||
    (parts.length === 1 && (language.test(parts[0] ?? '') || /^(index|default|home|accueil)(\.\w+)?$/i.test(parts[0] ?? '')))
  return !isHome(from) && isHome(to) && from.length > to.length && new URL(final).search === ''
}

/** Language that the address asked for and the one that came, both as the addresses name them and as the page says; or null. */
export function otherLanguage(
  requested: string,
  final: string,
  pageLanguage: string,
): { readonly asked: string; readonly shown: string } | null {
  if (!URL.canParse(requested) || !URL.canParse(final) || requested === final) return null
  const short = (code: string) => code.slice(0, 2).toLowerCase()
  const places = (url: string): readonly (string | undefined)[] => {
    const { hostname, pathname, searchParams } = new URL(url)
    return [
      hostname.split('.')[0],
      ...pathname.split('/').slice(1, 4),
      searchParams.get('lang') ?? searchParams.get('hl') ?? undefined,
    ]
  }
  const after = places(final)
  for (const [i, asked] of places(requested).entries()) {
    const shown = after[i]
    if (asked === undefined || shown === undefined || !language.test(asked) || !language.test(shown)) continue
    // The page has to say so as well: /it/ is also what computer departments are called.
    if (short(asked) !== short(shown) && short(pageLanguage) === short(shown)) return { asked: short(asked), shown: short(shown) }
  }
  return null
}
