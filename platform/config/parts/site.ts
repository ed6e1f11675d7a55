import { resolve } from 'node:path'
import { envelopeAddress } from '../../../kernel/envelope.ts'
import { expectHttps, isThisMachine, type Values } from '../settings/values.ts'

/** Services of others; null: none of that kind. */
export type OutsideConfig = {
  /** Without trailing slash. */
  readonly chat: { readonly address: string; readonly token: string } | null
  readonly pixel: { readonly address: string; readonly site: number } | null
  /** Where envelopes are posted to. */
  readonly recording: { readonly address: string } | null
  readonly errors: { readonly address: string } | null
  readonly score: {
    readonly siteKey: string
    readonly secret: string
    readonly least: number
    readonly script: string
    readonly verify: string
    readonly sources: readonly string[]
  } | null
}

/** What pages say and carry of the operator and of others. */
export type SiteConfig = {
  readonly contentOverride: string | undefined
  /** As legal pages state it; null: they say that it is not stated. */
  readonly legal: {
    readonly mail: string | null
    readonly phone: string | null
    readonly director: string | null
    readonly hosting: string | null
    readonly dataOfficer: string | null
    readonly mediator: string | null
  }
  readonly support: {
    /** Null: nobody is told by mail. */
    readonly address: string | null
    readonly days: number
  }
  readonly newsletter:
    | { readonly mode: 'off' }
    | { readonly mode: 'local' }
    | { readonly mode: 'provider'; readonly forms: { readonly en: string; readonly fr: string }; readonly field: string }
  readonly outside: OutsideConfig
  /** Folder of partners' brands, absolute. */
  readonly brandsFolder: string | undefined
}

export function siteOf(values: Values, faults: string[]): SiteConfig {
  const newsletter = newsletterOf(values, faults)
  const outside = outsideOf(values, faults)
  return {
    contentOverride: values.content === undefined ? undefined : resolve(values.content),
    legal: {
      mail: values.legalMail ?? null,
      phone: values.legalPhone ?? null,
      director: values.publicationDirector ?? null,
      hosting: values.hosting ?? null,
      dataOfficer: values.dataOfficer ?? null,
      mediator: values.mediator ?? null,
    },
    support: { address: values.supportAddress ?? null, days: values.supportDays },
    newsletter,
    outside,
    brandsFolder: values.brands === undefined ? undefined : resolve(values.brands),
  }
}

/** C-72: one form for French, another for other languages. */
function newsletterOf(values: Values, faults: string[]): SiteConfig['newsletter'] {
  if (values.newsletter !== 'provider') return { mode: values.newsletter }
  const { newsletterFormEn: en, newsletterFormFr: fr, newsletterField: field } = values
  if (en === undefined) faults.push('PROBANT_NEWSLETTER_FORM_EN is required with PROBANT_NEWSLETTER=provider')
  if (fr === undefined) faults.push('PROBANT_NEWSLETTER_FORM_FR is required with PROBANT_NEWSLETTER=provider')
  return { mode: 'provider', forms: { en: en ?? '', fr: fr ?? '' }, field }
}

function outsideOf(values: Values, faults: string[]): OutsideConfig {
  const { chatUrl, chatToken, pixelUrl, pixelSite, recordingDsn, errorsDsn, scoreSiteKey, scoreSecret } = values
  expectHttps(values, ['chatUrl', 'pixelUrl', 'recordingDsn', 'errorsDsn', 'scoreScript', 'scoreVerify'], faults)
  if ((chatUrl === undefined) !== (chatToken === undefined))
    faults.push('PROBANT_CHAT_URL and PROBANT_CHAT_TOKEN are given together')
  if ((pixelUrl === undefined) !== (pixelSite === undefined))
    faults.push('PROBANT_PIXEL_URL and PROBANT_PIXEL_SITE are given together')
  if ((scoreSiteKey === undefined) !== (scoreSecret === undefined))
    faults.push('PROBANT_SCORE_SITE_KEY and PROBANT_SCORE_SECRET are given together')
  const envelopes = (dsn: string | undefined) => {
    const address = dsn === undefined ? null : envelopeAddress(dsn)
    return address === null ? null : { address }
  }
  return {
    chat: chatUrl === undefined || chatToken === undefined ? null : { address: chatUrl.replace(/\/+$/, ''), token: chatToken },
    pixel: pixelUrl === undefined || pixelSite === undefined ? null : { address: pixelUrl, site: pixelSite },
    recording: envelopes(recordingDsn),
    errors: envelopes(errorsDsn),
    score:
      scoreSiteKey === undefined || scoreSecret === undefined
        ? null
        : {
            siteKey: scoreSiteKey,
            secret: scoreSecret,
            least: values.scoreLeast,
            script: values.scoreScript,
            verify: values.scoreVerify,
            sources: isThisMachine(values.scoreScript) ? [new URL(values.scoreScript).origin] : values.scoreSources,
          },
  }
}
