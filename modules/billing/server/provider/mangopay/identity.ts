import type { identityVerification, kycDocument } from 'mangopay4-nodejs-sdk'
import { createHash } from 'node:crypto'
import type { Attempt, DocumentKind, DocumentReading, DocumentRefusal, Identity, VerificationReading } from '../port.ts'
import { ask } from './ask.ts'
import { askOnce, judgeAnswer, type Once } from './ask-once.ts'
import type { MangopayDeps } from './deps.ts'

const kinds = {
  identity: 'IDENTITY_PROOF',
  registration: 'REGISTRATION_PROOF',
  articles: 'ARTICLES_OF_ASSOCIATION',
  shareholders: 'SHAREHOLDER_DECLARATION',
  address: 'ADDRESS_PROOF',
} as const

const refusals: Readonly<Record<string, DocumentRefusal>> = {
  DOCUMENT_UNREADABLE: 'unreadable',
  DOCUMENT_NOT_ACCEPTED: 'not_accepted',
  DOCUMENT_HAS_EXPIRED: 'expired',
  DOCUMENT_INCOMPLETE: 'incomplete',
  DOCUMENT_MISSING: 'missing',
  DOCUMENT_DO_NOT_MATCH_USER_DATA: 'other_person',
  DOCUMENT_DO_NOT_MATCH_ACCOUNT_DATA: 'other_account',
  DOCUMENT_FALSIFIED: 'falsified',
  UNDERAGE_PERSON: 'underage',
  SPECIFIC_CASE: 'specific',
}

export function identity(deps: MangopayDeps): Identity {
  const { sdk, clock } = deps
  return {
    submitDocument: (document, attempt) => submitDocument(deps, document, attempt),
    readDocument: async (id) => judgeDocument(judgeAnswer(await ask(sdk, (options) => sdk.KycDocuments.get(id, options)))),
    beginVerification: async (customer, returnTo, attempt) => {
      const body = { ReturnUrl: returnTo, Tag: attempt.tag }
      return judgeVerification(
        await askOnce(sdk, clock.now(), attempt, (options) => sdk.IdentityVerifications.create(customer, { ...body }, options)),
      )
    },
    readVerification: async (id) =>
      judgeVerification(judgeAnswer(await ask(sdk, (options) => sdk.IdentityVerifications.get(id, options)))),
    isVerified: async (customer) => {
      const read = judgeAnswer(await ask(sdk, (options) => sdk.Users.get(customer, options)))
      return read.state === 'done' ? read.body.KYCLevel === 'REGULAR' : 'unknown'
    },
  }
}

/** Each step has a key made of the attempt's, so that the whole may be done again from its beginning. */
async function submitDocument(
  { sdk, clock }: MangopayDeps,
  { customer, kind, pages }: { customer: string; kind: DocumentKind; pages: readonly Uint8Array[] },
  attempt: Attempt,
): Promise<DocumentReading> {
  const made = await askOnce(sdk, clock.now(), attempt, (options) =>
    sdk.Users.createKycDocument(customer, { Type: kinds[kind], Tag: attempt.tag }, options),
  )
  if (made.state !== 'done') return made
  const id = made.body.Id
  const before = judgeAnswer(await ask(sdk, (options) => sdk.KycDocuments.get(id, options)))
  if (before.state !== 'done' || before.body.Status !== 'CREATED') return judgeDocument(before)
  for (const [at, page] of pages.entries()) {
    const File = Buffer.from(page).toString('base64')
    const step = { ...attempt, key: stepKey(attempt.key, at) }
    const sent = await askOnce(sdk, clock.now(), step, (options) => sdk.Users.createKycPage(customer, id, { File }, options))
    if (sent.state !== 'done') return sent
  }
  const submitted = await ask(sdk, (options) =>
    sdk.Users.updateKycDocument(customer, { Id: id, Status: 'VALIDATION_ASKED' }, options),
  )
  return judgeDocument(judgeAnswer(submitted))
}

function stepKey(key: string, step: number): string {
  return createHash('sha256').update(`${key} ${step}`).digest('hex').slice(0, 36)
}

function judgeDocument(read: Once<kycDocument.KycDocumentData>): DocumentReading {
  if (read.state !== 'done') return read
  const { Id: id, Status, RefusedReasonType, Flags } = read.body
  switch (Status) {
    case 'CREATED':
      return { state: 'draft', id }
    case 'VALIDATION_ASKED':
      return { state: 'submitted', id }
    case 'VALIDATED':
      return { state: 'validated', id }
    case 'OUT_OF_DATE':
      return { state: 'out_of_date', id }
    case 'REFUSED':
      return { state: 'document_refused', id, reason: refusals[RefusedReasonType] ?? 'specific', flags: Flags ?? [] }
    default:
      return { state: 'unknown' }
  }
}

function judgeVerification(read: Once<identityVerification.IdentityVerificationData>): VerificationReading {
  if (read.state !== 'done') return read
  const { Id: id, Status, HostedUrl } = read.body
  switch (Status) {
    case 'PENDING':
      return { state: 'customer_needed', id, address: HostedUrl }
    case 'VALIDATED':
      return { state: 'verified', id }
    case 'REVIEW':
      return { state: 'in_review', id }
    case 'REFUSED':
      return { state: 'not_verified', id }
    default:
      return { state: 'expired', id }
  }
}
