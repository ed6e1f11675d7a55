/**
 * Which button of a cookie banner may be pressed (decision H-12): one that refuses; else one that closes or goes on without
 * accepting; one that accepts only where it was expressly asked for and nothing refuses. Pure.
 */

export type BannerChoice = 'refuse' | 'continue' | 'close' | 'accept'

/** Public selectors of consent platforms, as their own documents and markup name them. Looked for in every tree of every frame. */
export type KnownBanner = {
  readonly name: string
  readonly container: string
  readonly refuse: string
  readonly continue: string
  readonly close: string
  readonly accept: string
}

const none = ':not(*)'

export const knownBanners: readonly KnownBanner[] = [
  {
    name: 'OneTrust',
    container: '#onetrust-banner-sdk, #onetrust-pc-sdk',
    refuse: '#onetrust-reject-all-handler, .ot-pc-refuse-all-handler',
    continue: '.onetrust-close-btn-handler.ot-close-link',
    close: '#onetrust-close-btn-container .onetrust-close-btn-handler, .banner-close-button',
    accept: '#onetrust-accept-btn-handler, #accept-recommended-btn-handler',
  },
  {
    name: 'Didomi',
    container: '#didomi-notice, #didomi-popup, .didomi-popup-container',
    refuse: '#didomi-notice-disagree-button',
    continue: '.didomi-continue-without-agreeing',
    close: '.didomi-popup-close, #didomi-notice-x-button .didomi-x-button',
    accept: '#didomi-notice-agree-button',
  },
  {
    name: 'Axeptio',
    container: '#axeptio_overlay, .axeptio_widget, #axeptio_main_modal',
    refuse: '#axeptio_btn_dismiss',
    continue: none,
    close: none,
    accept: '#axeptio_btn_acceptAll',
  },
  {
    name: 'Quantcast',
    container: '#qc-cmp2-ui, .qc-cmp2-container, .qc-cmp-ui',
    refuse: '#disagree-btn, .qc-cmp2-reject-all',
    continue: '.qc-cmp2-close-without-accepting',
    close: '.qc-cmp2-close-icon',
    accept: '#accept-btn',
  },
  {
    name: 'Cookiebot',
    container: '#CybotCookiebotDialog',
    refuse: '#CybotCookiebotDialogBodyButtonDecline, #CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll',
    continue: none,
    close: '.CybotCookiebotBannerCloseButton',
    accept: '#CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll, #CybotCookiebotDialogBodyButtonAccept',
  },
  {
    name: 'tarteaucitron',
    container: '#tarteaucitronAlertBig',
    refuse: '#tarteaucitronAllDenied2, #tarteaucitronAllDenied',
    continue: none,
    close: '#tarteaucitronCloseCross',
    accept: '#tarteaucitronPersonalize2, #tarteaucitronAllAllowed',
  },
  {
    name: 'Google',
    container: '.fc-consent-root, .fc-dialog-container, ytd-consent-bump-v2-lightbox, #CXQnmb',
    refuse: '.fc-cta-do-not-consent, #W0wltc',
    continue: none,
    close: '.fc-close',
    accept: '.fc-cta-consent, #L2AGLb',
  },
  {
    name: 'Usercentrics',
    container: '[data-testid="uc-default-wall"], [data-testid="uc-default-banner"], #uc-center-container',
    refuse: '[data-testid="uc-deny-all-button"]',
    continue: none,
    close: '[data-testid="uc-close-button"]',
    accept: '[data-testid="uc-accept-all-button"]',
  },
  {
    name: 'Sourcepoint',
    container: '.message-container[role="dialog"], .message.type-modal',
    refuse: '.sp_choice_type_13',
    continue: '.sp_choice_type_REJECT_ALL',
    close: '.sp_choice_type_15',
    accept: '.sp_choice_type_11, .sp_choice_type_ACCEPT_ALL',
  },
  {
    name: 'TrustArc',
    container: '#truste-consent-track, #consent_blackbar .truste-messageColumn',
    refuse: '#truste-consent-required',
    continue: none,
    close: none,
    accept: '#truste-consent-button',
  },
  {
    name: 'CookieYes',
    container: '.cky-consent-container',
    refuse: '.cky-btn-reject',
    continue: none,
    close: '.cky-banner-btn-close',
    accept: '.cky-btn-accept',
  },
  {
    name: 'Osano',
    container: '.osano-cm-dialog',
    refuse: '.osano-cm-denyAll, .osano-cm-button--type_denyAll',
    continue: none,
    close: '.osano-cm-dialog__close',
    accept: '.osano-cm-accept-all, .osano-cm-button--type_accept',
  },
]

const consentWords =
  /\bcookies?\b|\bconsent(ement|s|imiento|i)?\b|\bgdpr\b|\brgpd\b|\bdsgvo\b|\btraceurs?\b|\beinwilligung\b|\bvie privée\b|\bprivacy\b|\bprivacidad\b|\bdatenschutz\b/i

/** Whether a text speaks of cookies or consent: the words of the banners of English, French, German, Spanish and Italian pages. */
export function speaksOfConsent(text: string): boolean {
  return consentWords.test(text)
}

/** Source of the same rule, for the script that looks at the page. */
export const consentWordsSource = consentWords.source

const cookies =
  '(?: (?:all |les |the |alle |la |las |i |tutti i |tous les |non-?essential |optional |additional |unnecessary |tracking )*(?:cookies?|traceurs|tracking|tracker))?'
const necessary =
  '(?:strictly |strictement |unbedingt |technisch |estrictamente |strettamente )?(?:necessary|essential|required|essentiels|nécessaires|obligatoires|indispensables|notwendigen?|erforderlichen?|essenziellen?|necesarias|esenciales|imprescindibles|necessari|essenziali|tecnici)'

const refusals: readonly RegExp[] = [
  // English
  new RegExp(
    `^(?:reject|decline|refuse|deny|disagree(?: to)?|opt[- ]out(?: of)?|disallow)(?: (?:all|everything|any|non-?essential|optional|additional|unnecessary))?${cookies}(?: and (?:close|continue))?$`,
  ),
  /^i (?:do not|don't) (?:agree|accept|consent)$|^(?:do not|don't) (?:accept|consent|agree|allow)(?: cookies| all)?$|^i (?:decline|refuse|reject|disagree)$/,
  /^no,? (?:thanks|thank you)$/,
  // French
  new RegExp(
    `^(?:tout |toutes )?(?:refuser|rejeter|interdire|décliner)(?: tout| tous| toutes)?${cookies}(?: et (?:fermer|continuer))?$`,
  ),
  /^je refuse(?: tout| les cookies| tous les cookies)?$|^non,? merci$|^je n'accepte pas$|^ne pas accepter$/,
  // German
  /^(?:alles? |alle cookies |cookies |optionale cookies )?(?:ablehnen|verweigern)(?: und (?:schließen|weiter))?$/,
  /^(?:ich )?(?:stimme nicht zu|lehne ab)$|^nicht (?:zustimmen|akzeptieren|einverstanden)$|^nein,? danke$/,
  // Spanish
  new RegExp(
    `^(?:rechazar(?:lo|las|los)?|denegar|no aceptar)(?: todo| todas| todos)?${cookies}(?: y (?:cerrar|continuar))?$|^(?:no acepto|rechazo)$|^no,? gracias$`,
  ),
  // Italian
  new RegExp(
    `^(?:rifiuta(?:re)?|nega|rifiuto)(?: tutto| tutti)?${cookies}(?: e (?:chiudi|continua))?$|^non (?:accetto|accettare)$|^no,? grazie$`,
  ),
  // Only what the site needs, in each of them
  new RegExp(
    `^(?:(?:use|accept|allow|keep|accepter|autoriser|aceptar|accetta|usa) )?(?:only|uniquement|seulement|nur|solo|solamente) (?:the |les |die |las |i )?(?:cookies? )?${necessary}(?: cookies?)?(?: akzeptieren| zulassen| verwenden| erlauben)?$`,
  ),
  new RegExp(
    `^(?:(?:use|accept|allow|keep|accepter|autoriser) )?(?:the |les )?(?:cookies? )?${necessary}(?: cookies?)? (?:only|uniquement|seulement)$`,
  ),
]

const continuations: readonly RegExp[] = [
  /^(?:continue|proceed|go on|browse|enter)(?: to (?:the )?site)? without (?:accepting|agreeing|consent(?:ing)?|cookies)(?: cookies)?$/,
  /^(?:continuer|poursuivre|naviguer|fermer)(?: (?:la navigation|ma navigation))? sans (?:accepter|consentir|cookies)(?: les cookies)?$/,
  /^(?:weiter |fortfahren )?ohne (?:zustimmung|einwilligung|zu akzeptieren|akzeptieren|zuzustimmen)(?: weiter| fortfahren| weiterlesen| fortsetzen)?$/,
  /^(?:continuar|seguir|navegar) sin aceptar(?: cookies)?$/,
  /^(?:continua|prosegui|naviga) senza (?:accettare|consenso|consentire)(?: i cookie)?$/,
]

const closings: readonly RegExp[] = [
  /^[x×✕✖✗⨯╳]$/,
  /^(?:close|dismiss|hide)(?: (?:this|the))?(?: (?:cookie )?(?:banner|dialog|notice|message|popup|window|bar))?$/,
  /^(?:fermer|masquer)(?: (?:ce|cette|le|la))?(?: (?:bandeau|fenêtre|bannière|message)(?: (?:de|des) cookies)?)?$/,
  /^(?:schließen|ausblenden|cerrar|ocultar|chiudi)$/,
]

const acceptances: readonly RegExp[] = [
  /^(?:yes,? )?(?:i )?(?:accept|agree|allow|consent|enable)(?: (?:all|everything|and (?:close|continue)|to all))?(?: (?:cookies|and (?:close|continue)))?$/,
  /^(?:ok(?:ay)?|got it|i understand|understood|that's ok|fine)!?$/,
  /^(?:tout |toutes )?(?:accepter|autoriser)(?: tout| tous| et (?:fermer|continuer))?(?: les cookies)?(?: et (?:fermer|continuer))?$|^j'(?:accepte|ai compris|autorise)(?: tout| les cookies)?$|^d'accord$|^ok pour moi$|^compris$/,
  /^(?:alles? |alle cookies |cookies )?(?:akzeptieren|zustimmen|erlauben|zulassen|annehmen)(?: und (?:schließen|weiter))?$|^(?:einverstanden|verstanden)$/,
  /^(?:aceptar|permitir)(?: todo| todas| y (?:cerrar|continuar))?(?: las cookies)?$|^(?:acepto|entendido)$/,
  /^(?:accetta(?:re)?|consenti)(?: tutto| tutti| e (?:chiudi|continua))?(?: i cookie)?$|^(?:accetto|ho capito)$/,
]

/** What the words of a button do to a cookie banner; null when they do none of it. */
export function classifyBannerButton(words: string): BannerChoice | null {
  const text = words
    .normalize('NFC')
    .replaceAll(/[’‘ʼ`´]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    // Arrows and ornaments around the words; a lone cross stays.
    .replace(/^(?:[^\p{L}\p{N}×✕✖✗⨯╳]+|[✓✔✗✕✖×] (?=\p{L}))/u, '')
    .replace(/(?<=\p{L}|\p{N})[^\p{L}\p{N}]+$/u, '')
  if (text === '' || text.length > 80) return null
  const spelt = [' and ', ' et ', ' und ', ' y ', ' e '].map((and) => text.replace(/ (?:&|\+) /, and))
  const says = (rules: readonly RegExp[]) => rules.some((rule) => spelt.some((each) => rule.test(each)))
  if (says(refusals)) return 'refuse'
  if (says(continuations)) return 'continue'
  if (says(closings)) return 'close'
  return says(acceptances) ? 'accept' : null
}

export type BannerButton = {
  /** Number under which the script keeps the element. */
  readonly element: number
  readonly selector: string
  readonly text: string
  /** What a known platform's selector says it does. */
  readonly known: BannerChoice | null
}

/** What may be a banner, as it was found in one tree of one frame. */
export type BannerCandidate = {
  readonly element: number
  readonly selector: string
  readonly platform: string | null
  readonly textLength: number
  readonly links: number
  /** In a frame of its own, which has nothing else in it. */
  readonly framed: boolean
  readonly buttons: readonly BannerButton[]
}

export type ChosenButton = { readonly choice: BannerChoice; readonly button: BannerButton; readonly candidate: BannerCandidate }

const order: readonly BannerChoice[] = ['refuse', 'continue', 'close', 'accept']

/** A box with more text or links than this is not closed by a cross alone: it may be the site's own menu. */
const plainBox = { text: 3_000, links: 10 }

/**
 * The button to press: over all candidates, one that refuses before one that goes on without accepting, before one that closes.
 * One that accepts only with `accept`, and only where nothing refuses or closes. Null: leave it.
 */
export function chooseButton(candidates: readonly BannerCandidate[], accept: boolean): ChosenButton | null {
  const able = candidates.flatMap((candidate) =>
    candidate.buttons.flatMap((button) => {
      const choice = button.known ?? classifyBannerButton(button.text)
      return choice === null ? [] : [{ choice, button, candidate }]
    }),
  )
  for (const choice of order) {
    if (choice === 'accept' && !accept) return null
    const found = able.find(
      (each) =>
        each.choice === choice &&
        (choice !== 'close' ||
          each.candidate.platform !== null ||
          (!each.candidate.framed && each.candidate.textLength <= plainBox.text && each.candidate.links <= plainBox.links)),
    )
    if (found !== undefined) return found
  }
  return null
}

/** Whether what was found is a banner at all: a known one, or a box that speaks of consent and asks for an answer. */
export function isBanner(candidate: BannerCandidate): boolean {
  return (
    candidate.platform !== null ||
    candidate.buttons.some(({ text, known }) => known !== null || classifyBannerButton(text) !== null)
  )
}
