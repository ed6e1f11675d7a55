import { ApiError, notFound } from '../world/api-error.ts'
import type { KycDocument, User } from '../world/entities.ts'
import type { World } from '../world/world.ts'
import { type Call, formOf, List, param, route } from './route.ts'

const day = 86_400
const largestPage = 10 << 20
const kinds = [
  'IDENTITY_PROOF',
  'REGISTRATION_PROOF',
  'ARTICLES_OF_ASSOCIATION',
  'SHAREHOLDER_DECLARATION',
  'ADDRESS_PROOF',
] as const

/** PDF, PNG, JPEG and GIF, by their first octets. */
const signatures = ['%PDF', '\x89PNG', '\xff\xd8\xff', 'GIF8']

/** A page is a file in base64: 1 kB at least, 32 kB where it proves an identity, 10 MB at most. */
export function readPage(call: Call, document: KycDocument, least: number): unknown {
  if (document.Status !== 'CREATED')
    throw new ApiError(400, 'document_already_submitted', 'The document is no longer open to new pages')
  const form = formOf(call)
  const text = form.text('File', { max: (largestPage * 4) / 3 + 4 })
  const file = Buffer.from(text, 'base64')
  if (file.length > largestPage) throw new ApiError(413, 'file_too_large', 'The file exceeds 10 MB')
  if (file.length < least) form.wrong('File', `The file must have at least ${least} bytes`)
  else if (!signatures.some((start) => file.subarray(0, start.length).toString('latin1') === start))
    throw new ApiError(415, 'unsupported_file', 'The file must be a PDF, PNG, JPEG or GIF')
  form.check()
  const pages = (call.world.hidden(document.Id)['pages'] as number | undefined) ?? 0
  call.world.hide(document.Id, { pages: pages + 1 })
  return undefined
}

function createDocument(call: Call): KycDocument {
  const user = call.world.get('user', param(call, 'user'))
  const form = formOf(call)
  const Type = form.oneOf('Type', kinds)
  const Tag = form.tag()
  form.check()
  const made = call.world.add('kycDocument', {
    Tag,
    Type,
    UserId: user.Id,
    Status: 'CREATED',
    RefusedReasonType: null,
    RefusedReasonMessage: null,
    ProcessedDate: null,
    Flags: [],
  })
  call.world.emit('KYC_CREATED', made.Id)
  return made
}

function documentOf(call: Call): KycDocument {
  const document = call.world.get('kycDocument', param(call, 'id'))
  if (document.UserId !== param(call, 'user')) throw notFound('KYCDocument', document.Id)
  return document
}

function submitDocument(call: Call): KycDocument {
  const document = documentOf(call)
  const form = formOf(call)
  form.oneOf('Status', ['VALIDATION_ASKED'])
  if (document.Status !== 'CREATED') form.wrong('Status', `The document is ${document.Status}`)
  if (call.world.hidden(document.Id)['pages'] === undefined) form.wrong('Status', 'The document has no page')
  form.check()
  document.Status = 'VALIDATION_ASKED'
  if ('Tag' in call.body) document.Tag = form.tag()
  call.world.emit('KYC_VALIDATION_ASKED', document.Id)
  call.world.later(day, 'document-looked-at', document.Id)
  return document
}

/** Someone looked at it: accepted, or refused for a reason. */
export function decideDocument(world: World, document: KycDocument, refusal: string | null, flags: string[] = []): void {
  if (document.Status !== 'VALIDATION_ASKED') return
  Object.assign(document, {
    Status: refusal === null ? 'VALIDATED' : 'REFUSED',
    RefusedReasonType: refusal,
    RefusedReasonMessage: refusal === null ? null : `Refused: ${refusal}`,
    ProcessedDate: world.now(),
    Flags: flags,
  })
  world.emit(refusal === null ? 'KYC_SUCCEEDED' : 'KYC_FAILED', document.Id)
  knowBetter(world, world.get('user', document.UserId))
}

export function lookAtDocument(world: World, id: string): void {
  decideDocument(world, world.get('kycDocument', id), null)
}

/** A proof does not hold for ever: once it is out of date, so is what was known by it. */
export function outdateDocument(world: World, document: KycDocument): void {
  if (document.Status !== 'VALIDATED') return
  document.Status = 'OUT_OF_DATE'
  world.emit('KYC_OUTDATED', document.Id)
  const user = world.get('user', document.UserId)
  world.emit('USER_KYC_RENEWAL_REQUIRED', user.Id)
  knowBetter(world, user)
}

const wanted: Readonly<Record<string, readonly string[]>> = {
  NATURAL: ['IDENTITY_PROOF'],
  SOLETRADER: ['IDENTITY_PROOF', 'REGISTRATION_PROOF'],
  ORGANIZATION: ['IDENTITY_PROOF', 'REGISTRATION_PROOF', 'ARTICLES_OF_ASSOCIATION'],
  BUSINESS: ['IDENTITY_PROOF', 'REGISTRATION_PROOF', 'ARTICLES_OF_ASSOCIATION'],
  PARTNERSHIP: ['IDENTITY_PROOF', 'REGISTRATION_PROOF', 'ARTICLES_OF_ASSOCIATION'],
}

/** What is proven of a user says how well he is known. A business also says whose it is. */
export function knowBetter(world: World, user: User): void {
  const kind = user.PersonType === 'NATURAL' ? 'NATURAL' : String(user['LegalPersonType'])
  const valid = world.list('kycDocument').filter(({ UserId, Status }) => UserId === user.Id && Status === 'VALIDATED')
  const declared = world.list('uboDeclaration').some(({ UserId, Status }) => UserId === user.Id && Status === 'VALIDATED')
  const shown = (wanted[kind] ?? []).every((type) => valid.some(({ Type }) => Type === type)) && (kind !== 'BUSINESS' || declared)
  const verified = world.list('identityVerification').some(({ UserId, Status }) => UserId === user.Id && Status === 'VALIDATED')
  const level = shown || verified ? 'REGULAR' : 'LIGHT'
  if (level === user.KYCLevel) return
  user.KYCLevel = level
  world.emit(`USER_KYC_${level}`, user.Id)
}

export const documentRoutes = [
  route('POST users/:user/kyc/documents', createDocument),
  route('GET users/:user/kyc/documents', (call) => {
    const { Id } = call.world.get('user', param(call, 'user'))
    return new List(call.world.list('kycDocument').filter(({ UserId }) => UserId === Id))
  }),
  route('GET users/:user/kyc/documents/:id', documentOf),
  route('PUT users/:user/kyc/documents/:id', submitDocument),
  route('POST users/:user/kyc/documents/:id/pages', (call) => {
    const document = documentOf(call)
    return readPage(call, document, document.Type === 'IDENTITY_PROOF' ? 32 << 10 : 1 << 10)
  }),
  route('GET kyc/documents', ({ world }) => new List(world.list('kycDocument'))),
  route('GET kyc/documents/:id', (call) => call.world.get('kycDocument', param(call, 'id'))),
  route('POST kyc/documents/:id/consult', (call) => {
    const document = call.world.get('kycDocument', param(call, 'id'))
    const pages = (call.world.hidden(document.Id)['pages'] as number | undefined) ?? 0
    return Array.from({ length: pages }, (_, at) => ({
      Url: `${call.world.origin}/documents/${document.Id}/${at + 1}`,
      ExpirationDate: call.world.now() + 3600,
    }))
  }),
]
