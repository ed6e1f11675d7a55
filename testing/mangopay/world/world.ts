import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { notFound } from './api-error.ts'
import type { Entity, Kind, Kinds, Transaction } from './entities.ts'

export type Event = { readonly ResourceId: string; readonly EventType: string; readonly Date: number }

/** A hook on its way: what is sent, and when it is tried next. */
export type Delivery = { readonly id: number; readonly url: string; readonly event: Event; tries: number; at: number }

export type KeptResponse = {
  readonly StatusCode: string
  readonly ContentLength: string
  readonly ContentType: string
  readonly Date: string
  readonly RequestURL: string
  readonly Resource: unknown
  /** When the key was first used; it is forgotten a day later. */
  readonly at: number
}

type Due = { readonly at: number; readonly what: string; readonly id: string }

/** How hooks leave: sent at once, or held until they are let go; each so many times. */
export type HookMode = { hold: boolean; copies: number; reversed: boolean }

/** All of it is JSON: a file holds it from one start to the next. */
export type State = {
  offset: number
  tables: { [K in Kind]: Record<string, Kinds[K]> }
  /** What the provider knows and never answers: numbers of cards, tokens of pages, pages of documents. */
  hidden: Record<string, Record<string, unknown>>
  events: Event[]
  deliveries: Delivery[]
  responses: Record<string, KeptResponse>
  due: Due[]
  hooks: HookMode
  fees: number
}

const prefixes: { readonly [K in Kind]: string } = {
  user: 'user_m_',
  wallet: 'wlt_m_',
  cardRegistration: 'cardreg_m_',
  card: 'card_m_',
  transaction: '',
  recurring: 'recpayinreg_m_',
  bankAccount: 'bankacc_m_',
  recipient: 'rec_',
  mandate: 'mdt_m_',
  dispute: 'dispute_m_',
  kycDocument: 'kyc_m_',
  disputeDocument: 'disputedoc_m_',
  ubo: 'ubo_m_',
  uboDeclaration: 'ubodec_m_',
  identityVerification: 'idnver_m_',
  hook: 'hook_m_',
}

const transactionPrefixes = { PAYIN: 'payin_m_', TRANSFER: 'tran_m_', PAYOUT: 'payout_m_' } as const

export function emptyState(): State {
  const tables = Object.fromEntries(Object.keys(prefixes).map((kind) => [kind, {}])) as State['tables']
  return {
    offset: 0,
    tables,
    hidden: {},
    events: [],
    deliveries: [],
    responses: {},
    due: [],
    hooks: { hold: false, copies: 1, reversed: false },
    fees: 0,
  }
}

export type Transition = (world: World, id: string) => void

/** The provider: what it keeps, its clock, and what becomes of things as time passes. */
export class World {
  readonly state: State
  readonly origin: string
  readonly #clock: Clock
  readonly #transitions: Readonly<Record<string, Transition>>
  /** While a transition that was due in the past is made, the clock stands at its instant. */
  #instant: number | undefined
  #deliveries = 0

  constructor(origin: string, clock: Clock, transitions: Readonly<Record<string, Transition>>, state: State = emptyState()) {
    this.origin = origin
    this.#clock = clock
    this.#transitions = transitions
    this.state = state
    this.#deliveries = Math.max(0, ...state.deliveries.map(({ id }) => id))
  }

  /** Seconds since 1970 by the provider's clock, which controls move. */
  now(): number {
    return this.#instant ?? Math.floor(this.#clock.now().getTime() / 1000) + this.state.offset
  }

  /** What is due by now happens, each at its own instant and in order, however far the clock jumped. */
  settle(): void {
    for (;;) {
      const now = this.now()
      const next = this.state.due.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined) return
      this.state.due.splice(this.state.due.indexOf(next), 1)
      this.#instant = next.at
      try {
        this.#transitions[next.what]?.(this, next.id)
      } finally {
        this.#instant = undefined
      }
    }
  }

  later(seconds: number, what: string, id: string): void {
    if (this.#transitions[what] === undefined) throw new RangeError(`no transition ${what}`)
    this.state.due.push({ at: this.now() + seconds, what, id })
  }

  /** @returns the new thing with its id and date, kept. */
  add<K extends Kind>(kind: K, thing: Omit<Kinds[K], 'Id' | 'CreationDate' | 'Tag'> & { Tag?: string | null }): Kinds[K] {
    const { Type, Nature } = thing as unknown as Transaction
    const prefix = kind === 'transaction' ? (Nature === 'REFUND' ? 'refund_m_' : transactionPrefixes[Type]) : prefixes[kind]
    const entity: Entity = { Id: `${prefix}${ulid(this.now())}`, Tag: thing.Tag ?? null, CreationDate: this.now() }
    const kept = { ...thing, ...entity } as unknown as Kinds[K]
    const table: Record<string, Kinds[K]> = this.state.tables[kind]
    table[kept.Id] = kept
    return kept
  }

  find<K extends Kind>(kind: K, id: unknown): Kinds[K] | undefined {
    return typeof id === 'string' && Object.hasOwn(this.state.tables[kind], id) ? this.state.tables[kind][id] : undefined
  }

  /** @throws the provider's 404 */
  get<K extends Kind>(kind: K, id: string): Kinds[K] {
    const found = this.find(kind, id)
    if (found === undefined) throw notFound(kind, id)
    return found
  }

  /** In the order of their making. */
  list<K extends Kind>(kind: K): Kinds[K][] {
    return Object.values(this.state.tables[kind])
  }

  hide(id: string, facts: Record<string, unknown>): void {
    this.state.hidden[id] = { ...this.state.hidden[id], ...facts }
  }

  hidden(id: string): Record<string, unknown> {
    return this.state.hidden[id] ?? {}
  }

  emit(EventType: string, ResourceId: string): void {
    const event = { ResourceId, EventType, Date: this.now() }
    this.state.events.push(event)
    const hook = this.list('hook').find((one) => one.EventType === EventType)
    if (hook?.Status !== 'ENABLED' || hook.Validity !== 'VALID') return
    for (let copy = 0; copy < this.state.hooks.copies; copy++) this.send(hook.Url, event)
  }

  send(url: string, event: Event): void {
    this.state.deliveries.push({ id: ++this.#deliveries, url, event, tries: 0, at: this.now() })
  }
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Ids of the provider end with a ULID. The chance in it keeps those of a new start from meeting those that a client still holds. */
function ulid(seconds: number): string {
  let time = ''
  for (let rest = Math.max(0, seconds) * 1000, at = 0; at < 10; at++, rest = Math.floor(rest / 32))
    time = crockford[rest % 32] + time
  return time + [...randomBytes(16)].map((byte) => crockford[byte % 32]).join('')
}
