import type { Locale } from '../../../kernel/locale.ts'
import type accountEn from '../../../modules/account/messages/page.en.json'
import type billingEn from '../../../modules/billing/messages/en.json'
import type billingAdminEn from '../../../modules/billing/messages/admin.en.json'
import type billingPagesEn from '../../../modules/billing/messages/pages.en.json'
import type captureEn from '../../../modules/capture/messages/en.json'
import type captureServersEn from '../../../modules/capture/messages/servers.en.json'
import type disputeEn from '../../../modules/dispute/messages/en.json'
import type disputePagesEn from '../../../modules/dispute/messages/pages.en.json'
import type documentCallsEn from '../../../modules/document/messages/en.json'
import type documentDatingEn from '../../../modules/document/messages/dating.en.json'
import type documentPagesEn from '../../../modules/document/messages/pages.en.json'
import type evidenceEn from '../../../modules/evidence/messages/en.json'
import type evidencePagesEn from '../../../modules/evidence/messages/pages.en.json'
import type liveEn from '../../../modules/live/messages/live.en.json'
import type reviewEn from '../../../modules/live/messages/review.en.json'
import type identityKeysEn from '../../../modules/identity/messages/api-keys.en.json'
import type identityLoginEn from '../../../modules/identity/messages/login.en.json'
import type identityActsEn from '../../../modules/identity/messages/acts.en.json'
import type identityEn from '../../../modules/identity/messages/page.en.json'
import type licensingEn from '../../../modules/licensing/messages/en.json'
import type licensingPagesEn from '../../../modules/licensing/messages/pages.en.json'
import type licensingTermsEn from '../../../modules/licensing/messages/terms.en.json'
import type documentsEn from '../../../modules/review/messages/pages.en.json'
import type keysEn from '../../../modules/sealing/messages/keys.en.json'
import type logEn from '../../../modules/sealing/messages/log.en.json'
import type sampleEn from '../../../modules/sample/messages/page.en.json'
import type outsideEn from '../../../modules/outside/messages/en.json'
import type siteStatusEn from '../../../modules/site/messages/status.en.json'
import type homeEn from '../../../modules/site/messages/home.en.json'
import type siteEn from '../../../modules/site/messages/en.json'
import type payoutEn from '../../../modules/payout/messages/en.json'
import type payoutPagesEn from '../../../modules/payout/messages/pages.en.json'
import type referralEn from '../../../modules/referral/messages/pages.en.json'
import type supportCallsEn from '../../../modules/support/messages/en.json'
import type supportEn from '../../../modules/support/messages/page.en.json'
import type verificationEn from '../../../modules/verification/messages/en.json'
import type verifierPageEn from '../../../modules/verification/messages/page.en.json'
import type uiEn from '../../../ui/messages/en.json'
import type listsEn from '../../../ui/messages/lists.en.json'
import type pagesEn from '../../../ui/messages/pages.en.json'
import { loadChunk } from '../../../ui/shell/chunk-failure.ts'

/** Every id a page may use; others are refused at compile time. */
type MessageIds =
  | keyof typeof uiEn
  | keyof typeof listsEn
  | keyof typeof pagesEn
  | keyof typeof supportEn
  | keyof typeof supportCallsEn
  | keyof typeof billingEn
  | keyof typeof billingAdminEn
  | keyof typeof billingPagesEn
  | keyof typeof payoutEn
  | keyof typeof payoutPagesEn
  | keyof typeof referralEn
  | keyof typeof sampleEn
  | keyof typeof homeEn
  | keyof typeof siteEn
  | keyof typeof siteStatusEn
  | keyof typeof outsideEn
  | keyof typeof evidenceEn
  | keyof typeof evidencePagesEn
  | keyof typeof captureEn
  | keyof typeof captureServersEn
  | keyof typeof liveEn
  | keyof typeof reviewEn
  | keyof typeof verificationEn
  | keyof typeof verifierPageEn
  | keyof typeof keysEn
  | keyof typeof logEn
  | keyof typeof identityEn
  | keyof typeof identityActsEn
  | keyof typeof identityKeysEn
  | keyof typeof identityLoginEn
  | keyof typeof accountEn
  | keyof typeof documentsEn
  | keyof typeof disputeEn
  | keyof typeof disputePagesEn
  | keyof typeof documentCallsEn
  | keyof typeof documentDatingEn
  | keyof typeof documentPagesEn
  | keyof typeof licensingEn
  | keyof typeof licensingPagesEn
  | keyof typeof licensingTermsEn

declare global {
  namespace FormatjsIntl {
    interface Message {
      ids: MessageIds
    }
  }
}

export type Catalogue = Readonly<Record<string, string>>
export type Part =
  | 'shell'
  | 'capture'
  | 'live'
  | 'review'
  | 'verification'
  /** What the pages of the verifier say before there is anything to verify. */
  | 'verifier'
  | 'keys'
  | 'log'
  | 'login'
  | 'identity'
  | 'evidence'
  | 'account'
  | 'acts'
  | 'api-keys'
  | 'documents'
  | 'deposits'
  /** Of those, what giving a file says. */
  | 'dating'
  | 'servers'
  | 'support'
  | 'outside'
  /** The home page alone, and what asks for a capture. */
  | 'home'
  /** Titles and descriptions of all others. */
  | 'pages'
  | 'billing'
  | 'billing-admin'
  /** Of what is paid, what is said before anything is. */
  | 'plans'
  | 'licensing'
  | 'earnings'
  | 'sample'
  | 'status'
  | 'dispute'

/** One language is fetched, never both; what only one page says comes with that page. */
const loaders: Readonly<Record<Locale, Readonly<Record<Part, () => Promise<Catalogue>>>>> = {
  en: {
    shell: async () => (await import('./en/shell.ts')).messages,
    capture: async () => (await import('../../../modules/capture/messages/en.json')).default,
    live: async () => (await import('../../../modules/live/messages/live.en.json')).default,
    review: async () => (await import('../../../modules/live/messages/review.en.json')).default,
    verification: async () => (await import('./en/verification.ts')).messages,
    verifier: async () => (await import('../../../modules/verification/messages/page.en.json')).default,
    keys: async () => (await import('../../../modules/sealing/messages/keys.en.json')).default,
    log: async () => (await import('../../../modules/sealing/messages/log.en.json')).default,
    evidence: async () => (await import('./en/evidence.ts')).messages,
    login: async () => (await import('../../../modules/identity/messages/login.en.json')).default,
    identity: async () => (await import('./en/identity.ts')).messages,
    account: async () => (await import('./en/account.ts')).messages,
    acts: async () => (await import('./en/acts.ts')).messages,
    'api-keys': async () => (await import('../../../modules/identity/messages/api-keys.en.json')).default,
    documents: async () => (await import('./en/documents.ts')).messages,
    billing: async () => (await import('./en/billing.ts')).messages,
    'billing-admin': async () => (await import('./en/billing-admin.ts')).messages,
    plans: async () => (await import('../../../modules/billing/messages/pages.en.json')).default,
    licensing: async () => (await import('./en/licensing.ts')).messages,
    earnings: async () => (await import('./en/earnings.ts')).messages,
    dispute: async () => (await import('./en/dispute.ts')).messages,
    deposits: async () => (await import('./en/deposits.ts')).messages,
    dating: async () => (await import('../../../modules/document/messages/dating.en.json')).default,
    servers: async () => (await import('../../../modules/capture/messages/servers.en.json')).default,
    support: async () => (await import('./en/support.ts')).messages,
    outside: async () => (await import('../../../modules/outside/messages/en.json')).default,
    pages: async () => (await import('../../../ui/messages/pages.en.json')).default,
    home: async () => (await import('./en/home.ts')).messages,
    sample: async () => (await import('../../../modules/sample/messages/page.en.json')).default,
    status: async () => (await import('../../../modules/site/messages/status.en.json')).default,
  },
  fr: {
    shell: async () => (await import('./fr/shell.ts')).messages,
    capture: async () => (await import('../../../modules/capture/messages/fr.json')).default,
    live: async () => (await import('../../../modules/live/messages/live.fr.json')).default,
    review: async () => (await import('../../../modules/live/messages/review.fr.json')).default,
    verification: async () => (await import('./fr/verification.ts')).messages,
    verifier: async () => (await import('../../../modules/verification/messages/page.fr.json')).default,
    keys: async () => (await import('../../../modules/sealing/messages/keys.fr.json')).default,
    log: async () => (await import('../../../modules/sealing/messages/log.fr.json')).default,
    evidence: async () => (await import('./fr/evidence.ts')).messages,
    login: async () => (await import('../../../modules/identity/messages/login.fr.json')).default,
    identity: async () => (await import('./fr/identity.ts')).messages,
    account: async () => (await import('./fr/account.ts')).messages,
    acts: async () => (await import('./fr/acts.ts')).messages,
    'api-keys': async () => (await import('../../../modules/identity/messages/api-keys.fr.json')).default,
    documents: async () => (await import('./fr/documents.ts')).messages,
    billing: async () => (await import('./fr/billing.ts')).messages,
    'billing-admin': async () => (await import('./fr/billing-admin.ts')).messages,
    plans: async () => (await import('../../../modules/billing/messages/pages.fr.json')).default,
    licensing: async () => (await import('./fr/licensing.ts')).messages,
    earnings: async () => (await import('./fr/earnings.ts')).messages,
    dispute: async () => (await import('./fr/dispute.ts')).messages,
    deposits: async () => (await import('./fr/deposits.ts')).messages,
    dating: async () => (await import('../../../modules/document/messages/dating.fr.json')).default,
    servers: async () => (await import('../../../modules/capture/messages/servers.fr.json')).default,
    support: async () => (await import('./fr/support.ts')).messages,
    outside: async () => (await import('../../../modules/outside/messages/fr.json')).default,
    pages: async () => (await import('../../../ui/messages/pages.fr.json')).default,
    home: async () => (await import('./fr/home.ts')).messages,
    sample: async () => (await import('../../../modules/sample/messages/page.fr.json')).default,
    status: async () => (await import('../../../modules/site/messages/status.fr.json')).default,
  },
}

let messages: Catalogue = {}
const loaded = new Map<Part, Promise<void>>()
const listeners = new Set<() => void>()

/** Adds a part to what the page can say; each part is fetched once. A page load has one language. */
export function ensureCatalogue(locale: Locale, part: Part): Promise<void> {
  const known = loaded.get(part)
  if (known !== undefined) return known
  const loading = loadChunk(loaders[locale][part]).then((added) => {
    messages = { ...messages, ...added }
    for (const listener of listeners) listener()
  })
  loaded.set(part, loading)
  loading.catch(() => loaded.delete(part))
  return loading
}

export function currentMessages(): Catalogue {
  return messages
}

export function onMessages(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
