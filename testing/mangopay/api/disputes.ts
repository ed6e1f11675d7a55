import { ApiError, notFound } from '../world/api-error.ts'
import type { Dispute, DisputeDocument } from '../world/entities.ts'
import { credit } from '../world/transactions.ts'
import type { World } from '../world/world.ts'
import { readPage } from './documents.ts'
import { type Call, formOf, List, param, route } from './route.ts'

function disputeOf(call: Call): Dispute {
  return call.world.get('dispute', param(call, 'id'))
}

function waiting(dispute: Dispute): Dispute {
  if (dispute.Status !== 'PENDING_CLIENT_ACTION' && dispute.Status !== 'REOPENED_PENDING_CLIENT_ACTION')
    throw new ApiError(400, 'dispute_action_not_allowed', `The dispute is ${dispute.Status}: nothing can be done of it`)
  return dispute
}

function contest(call: Call): Dispute {
  const dispute = waiting(disputeOf(call))
  const form = formOf(call)
  const funds = form.optionalMoney('ContestedFunds') ?? { ...dispute.DisputedFunds }
  form.check()
  Object.assign(dispute, { ContestedFunds: funds, Status: 'SUBMITTED' })
  call.world.emit('DISPUTE_SUBMITTED', dispute.Id)
  return dispute
}

/** Won: the money comes back into the wallet. Lost or given up: it stays with the customer. */
export function closeDispute(world: World, dispute: Dispute, won: boolean): Dispute {
  if (dispute.Status === 'CLOSED') return dispute
  Object.assign(dispute, {
    Status: 'CLOSED',
    ClosedDate: world.now(),
    ResultCode: won ? 'WON' : 'LOST',
    ResultMessage: won ? 'WON' : 'LOST',
  })
  if (won) credit(world, world.get('transaction', dispute.InitialTransactionId).CreditedWalletId, dispute.ContestedFunds)
  world.emit('DISPUTE_CLOSED', dispute.Id)
  return dispute
}

export function missDeadline(world: World, id: string): void {
  const dispute = world.get('dispute', id)
  if (dispute.Status === 'PENDING_CLIENT_ACTION') closeDispute(world, dispute, false)
}

function createDocument(call: Call): DisputeDocument {
  const dispute = waiting(disputeOf(call))
  const form = formOf(call)
  const Type = form.oneOf('Type', [
    'DELIVERY_PROOF',
    'INVOICE',
    'REFUND_PROOF',
    'USER_CORRESPONDANCE',
    'USER_ACCEPTANCE_PROOF',
    'PRODUCT_REPLACEMENT_PROOF',
    'OTHER',
  ])
  const Tag = form.tag()
  form.check()
  const made = call.world.add('disputeDocument', {
    Tag,
    Type,
    UserId: call.world.get('transaction', dispute.InitialTransactionId).AuthorId,
    DisputeId: dispute.Id,
    Status: 'CREATED',
    RefusedReasonType: null,
    RefusedReasonMessage: null,
    ProcessedDate: null,
    Flags: [],
  })
  call.world.emit('DISPUTE_DOCUMENT_CREATED', made.Id)
  return made
}

function documentOf(call: Call): DisputeDocument {
  const document = call.world.get('disputeDocument', param(call, 'document'))
  if (document.DisputeId !== param(call, 'id')) throw notFound('DisputeDocument', document.Id)
  return document
}

function submitDocument(call: Call): DisputeDocument {
  const document = documentOf(call)
  const form = formOf(call)
  form.oneOf('Status', ['VALIDATION_ASKED'])
  form.check()
  document.Status = 'VALIDATION_ASKED'
  call.world.emit('DISPUTE_DOCUMENT_VALIDATION_ASKED', document.Id)
  return document
}

const disputesBy = (call: Call, passes: (payIn: { readonly [field: string]: unknown }) => boolean): List<Dispute> =>
  new List(call.world.list('dispute').filter((one) => passes(call.world.get('transaction', one.InitialTransactionId))))

export const disputeRoutes = [
  route('GET disputes', ({ world }) => new List(world.list('dispute'))),
  route('GET disputes/pendingsettlement', () => new List([])),
  route('GET disputes/:id', disputeOf),
  route('PUT disputes/:id', (call) => Object.assign(disputeOf(call), { Tag: formOf(call).tag() })),
  route('PUT disputes/:id/submit', contest),
  route('PUT disputes/:id/close', (call) => closeDispute(call.world, waiting(disputeOf(call)), false)),
  route('GET disputes/:id/transactions', (call) => {
    const { RepudiationId } = disputeOf(call)
    return new List(call.world.list('transaction').filter(({ Id }) => Id === RepudiationId))
  }),
  route('GET payins/:id/disputes', (call) => disputesBy(call, ({ Id }) => Id === param(call, 'id'))),
  route('GET users/:id/disputes', (call) => disputesBy(call, ({ AuthorId }) => AuthorId === param(call, 'id'))),
  route('GET wallets/:id/disputes', (call) => disputesBy(call, ({ CreditedWalletId }) => CreditedWalletId === param(call, 'id'))),
  route('GET repudiations/:id', (call) => {
    const found = call.world.get('transaction', param(call, 'id'))
    if (found.Nature !== 'REPUDIATION') throw notFound('Repudiation', found.Id)
    return found
  }),
  route('POST disputes/:id/documents', createDocument),
  route('GET disputes/:id/documents', (call) => {
    const { Id } = disputeOf(call)
    return new List(call.world.list('disputeDocument').filter(({ DisputeId }) => DisputeId === Id))
  }),
  route('PUT disputes/:id/documents/:document', submitDocument),
  route('POST disputes/:id/documents/:document/pages', (call) => readPage(call, documentOf(call), 1024)),
  route('GET dispute-documents', ({ world }) => new List(world.list('disputeDocument'))),
  route('GET dispute-documents/:id', (call) => call.world.get('disputeDocument', param(call, 'id'))),
]
