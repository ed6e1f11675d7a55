import type { Named, Notices } from '../port.ts'
import { ask } from './ask.ts'
import { judgeAnswer } from './ask-once.ts'
import type { MangopayDeps } from './deps.ts'
import type { Sdk } from './sdk.ts'

/** What an event is about, by how its name begins; the longest that fits. Others are none of ours. */
const kinds: readonly (readonly [string, Named['kind']])[] = [
  ['PAYIN_NORMAL_', 'payment'],
  ['PAYIN_REFUND_', 'refund'],
  ['PAYOUT_NORMAL_', 'payout'],
  ['PAYOUT_REFUND_', 'refund'],
  ['TRANSFER_NORMAL_', 'transfer'],
  ['MANDATE_', 'mandate'],
  ['KYC_', 'document'],
  ['UBO_DECLARATION_', 'declaration'],
  ['IDENTITY_VERIFICATION_', 'verification'],
  ['RECIPIENT_', 'payee'],
  ['DISPUTE_DOCUMENT_', 'document'],
  ['DISPUTE_', 'dispute'],
  ['USER_KYC_', 'customer'],
  ['RECURRING_REGISTRATION_', 'series'],
]

const idPattern = /^[A-Za-z0-9_-]{1,128}$/

function named(type: string, id: string): Named | null {
  if (!/^[A-Z_]{3,80}$/.test(type) || !idPattern.test(id)) return null
  const kind = kinds.find(([start]) => type.startsWith(start))?.[1]
  return kind === undefined || type.startsWith('DISPUTE_DOCUMENT_') ? null : { kind, id }
}

/** A notice is an unsigned GET that anybody may send. Each parameter stands once, or it is not one. */
export function parseNotice(query: URLSearchParams): Named | null {
  const [types, ids] = [query.getAll('EventType'), query.getAll('RessourceId')]
  return types.length === 1 && ids.length === 1 ? named(types[0] ?? '', ids[0] ?? '') : null
}

/** What there is a hook for. */
const heard = [
  'PAYIN_NORMAL_SUCCEEDED',
  'PAYIN_NORMAL_FAILED',
  'PAYIN_REFUND_SUCCEEDED',
  'PAYIN_REFUND_FAILED',
  'MANDATE_SUBMITTED',
  'MANDATE_ACTIVATED',
  'MANDATE_FAILED',
  'MANDATE_EXPIRED',
  'DISPUTE_CREATED',
  'DISPUTE_CLOSED',
] as const

const pageSize = 100

const readHooks = async (sdk: Sdk) =>
  judgeAnswer(await ask(sdk, (options) => sdk.Hooks.getAll({ ...options, parameters: { Per_Page: 100 } })))

type Hook = { readonly Url: string; readonly Status: string; readonly Validity: string }
const isHeardAt = (hook: Hook | undefined, address: string): boolean =>
  hook?.Url === address && hook.Status === 'ENABLED' && hook.Validity === 'VALID'

/** Of what events nobody would be told at this address. */
export async function unheardAt(sdk: Sdk, address: string): Promise<readonly string[] | 'unknown'> {
  const known = await readHooks(sdk)
  if (known.state !== 'done') return 'unknown'
  return heard.filter(
    (type) =>
      !isHeardAt(
        known.body.find(({ EventType }) => EventType === type),
        address,
      ),
  )
}

export function notices({ sdk }: MangopayDeps): Notices {
  return {
    parse: parseNotice,
    paymentOf: async (dispute) => {
      const read = judgeAnswer(await ask(sdk, (options) => sdk.Disputes.get(dispute, options)))
      if (read.state === 'refused') return { payment: null }
      return read.state === 'done' ? { payment: read.body.InitialTransactionId } : 'unknown'
    },
    subscribe: async (address) => {
      const known = await readHooks(sdk)
      if (known.state !== 'done') return false
      let all = true
      for (const EventType of heard) {
        const hook = known.body.find((one) => one.EventType === EventType)
        if (isHeardAt(hook, address)) continue
        // One that became invalid is of use again once it was disabled and enabled.
        if (hook?.Validity === 'INVALID') await ask(sdk, (options) => sdk.Hooks.update({ ...hook, Status: 'DISABLED' }, options))
        const saved =
          hook === undefined
            ? await ask(sdk, (options) => sdk.Hooks.create({ EventType, Url: address }, options))
            : await ask(sdk, (options) => sdk.Hooks.update({ ...hook, Url: address, Status: 'ENABLED' }, options))
        all = all && saved.said === 'yes'
      }
      return all
    },
    changedSince: async (since) => {
      const changed = new Map<string, Named>()
      const AfterDate = Math.floor(since.getTime() / 1000)
      for (let Page = 1; ; Page++) {
        const parameters = { Page, Per_Page: pageSize, AfterDate, Sort: 'Date:ASC' }
        const read = judgeAnswer(await ask(sdk, (options) => sdk.Events.getAll({ ...options, parameters })))
        if (read.state !== 'done') return 'unknown'
        for (const { EventType, ResourceId } of read.body) {
          const one = named(EventType, ResourceId)
          if (one !== null) changed.set(`${one.kind} ${one.id}`, one)
        }
        if (read.body.length < pageSize) return [...changed.values()]
      }
    },
  }
}
