import { closeDispute } from '../api/disputes.ts'
import { decideDocument, outdateDocument } from '../api/documents.ts'
import { failMandate } from '../api/mandates.ts'
import { receiveWire, returnPayOut } from '../api/money-moves.ts'
import { decideDeclaration } from '../api/owners.ts'
import type { Answer } from '../api/route.ts'
import { openDispute } from '../world/disputes.ts'
import { faultKinds, type Faults } from '../world/faults.ts'
import { type ResultCode, resultCodes } from '../world/result-codes.ts'
import { finish } from '../world/transactions.ts'
import type { Courier } from '../world/courier.ts'
import type { World } from '../world/world.ts'

export type Controlled = {
  readonly world: World
  readonly faults: Faults
  readonly courier: Courier
  readonly calls: readonly string[]
}

type Wish = Readonly<Record<string, unknown>>
type Control = (controlled: Controlled, id: string, wish: Wish) => unknown

/** What is not the provider's API: time, misfortune, and what people and banks decide behind its back. */
const controls: Readonly<Record<string, Control>> = {
  'GET clock': ({ world }) => ({ now: world.now() }),
  'POST clock': ({ world }, _, wish) => {
    if (typeof wish['set'] === 'number') world.state.offset += wish['set'] - world.now()
    world.state.offset += whole(wish['advance'] ?? 0)
    world.settle()
    return { now: world.now() }
  },
  'POST faults': ({ faults }, _, wish) => {
    const kind = faultKinds.find((one) => one === wish['kind'])
    if (kind === undefined) throw new RangeError(`kind must be one of ${faultKinds.join(', ')}`)
    faults.add({ ...wish, kind })
    return {}
  },
  'DELETE faults': ({ faults }) => {
    faults.lift()
    return {}
  },
  'GET calls': ({ calls }) => calls,
  'GET hooks': ({ world }) => world.state.deliveries,
  'POST hooks': ({ world }, _, wish) => Object.assign(world.state.hooks, wish),
  'POST hooks/release': async ({ courier }, _, wish) => {
    await courier.release(wish['order'] as readonly number[] | undefined)
    return {}
  },
  'POST hooks/forge': async ({ world, courier }, _, wish) => {
    const { EventType, RessourceId, Url } = wish
    world.send(String(Url), { EventType: String(EventType), ResourceId: String(RessourceId), Date: world.now() })
    await courier.release(undefined)
    return {}
  },
  'POST pay-ins/:id': ({ world }, id, wish) => {
    const payIn = world.get('transaction', id)
    finish(world, payIn, codeOf(wish['result']))
    return payIn
  },
  'POST pay-ins/:id/receive': ({ world }, id, wish) => {
    const payIn = world.get('transaction', id)
    receiveWire(world, payIn, wish['amount'] === undefined ? payIn.DebitedFunds.Amount : whole(wish['amount']))
    return payIn
  },
  'POST pay-ins/:id/dispute': ({ world }, id, wish) => {
    const payIn = world.get('transaction', id)
    return openDispute(world, payIn, {
      reason: typeof wish['reason'] === 'string' ? wish['reason'] : 'FRAUD',
      contestable: wish['contestable'] === true,
      amount: wish['amount'] === undefined ? payIn.DebitedFunds.Amount : whole(wish['amount']),
    })
  },
  'POST mandates/:id': ({ world }, id, wish) => {
    const mandate = world.get('mandate', id)
    failMandate(world, mandate, codeOf(wish['result']))
    return mandate
  },
  'POST payouts/:id': ({ world }, id, wish) => {
    const payOut = world.get('transaction', id)
    finish(world, payOut, codeOf(wish['result']))
    return payOut
  },
  'POST payouts/:id/return': ({ world }, id) => returnPayOut(world, world.get('transaction', id)),
  'POST disputes/:id': ({ world }, id, wish) => {
    const dispute = world.get('dispute', id)
    const { Currency } = dispute.DisputedFunds
    if (wish['contested'] !== undefined) dispute.ContestedFunds = { Currency, Amount: whole(wish['contested']) }
    else if (dispute.ContestedFunds.Amount === 0) dispute.ContestedFunds = { ...dispute.DisputedFunds }
    return closeDispute(world, dispute, wish['won'] === true)
  },
  'POST documents/:id': ({ world }, id, wish) => {
    const document = world.get('kycDocument', id)
    decideDocument(
      world,
      document,
      (wish['refusal'] as string | undefined) ?? null,
      (wish['flags'] as string[] | undefined) ?? [],
    )
    return document
  },
  'POST documents/:id/outdate': ({ world }, id) => {
    const document = world.get('kycDocument', id)
    outdateDocument(world, document)
    return document
  },
  'POST declarations/:id': ({ world }, id, wish) => {
    const declaration = world.get('uboDeclaration', id)
    decideDeclaration(world, declaration, (wish['refusal'] as string | undefined) ?? null)
    return declaration
  },
}

export async function answerControl(controlled: Controlled, method: string, path: string, body: string): Promise<Answer> {
  const parts = path.split('/')
  const named = parts.length > 1 && !['release', 'forge'].includes(parts[1] ?? '')
  const line = `${method} ${named ? [parts[0], ':id', ...parts.slice(2)].join('/') : path}`
  const control = Object.hasOwn(controls, line) ? controls[line] : undefined
  if (control === undefined) return { status: 404, body: { error: `no control ${line}` } }
  try {
    const wish = body === '' ? {} : (JSON.parse(body) as Wish)
    return { status: 200, body: structuredClone(await control(controlled, named ? (parts[1] ?? '') : '', wish)) }
  } catch (error) {
    return { status: 400, body: { error: error instanceof Error ? error.message : String(error) } }
  }
}

function whole(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new RangeError('a whole number is wanted')
  return value as number
}

function codeOf(value: unknown): ResultCode {
  if (typeof value === 'string' && Object.hasOwn(resultCodes, value)) return value as ResultCode
  throw new RangeError(`result must be one of ${Object.keys(resultCodes).join(', ')}`)
}
