import { useSyncExternalStore } from 'react'
import { originOf, serviceKinds, type PageServices, type ServiceKind } from '../../kernel/page-services.ts'
import { readHead } from '../shell/head-data.ts'

/** What the operator has set up; null: nothing, and no page speaks of it. */
export const services = readHead('services') as PageServices | null

/** Kinds that are set up here, each with whose it is. */
export const offered: readonly { readonly kind: ServiceKind; readonly origin: string }[] =
  services === null
    ? []
    : serviceKinds.flatMap((kind) => {
        const origin = originOf(services, kind)
        return origin === null ? [] : [{ kind, origin }]
      })

const key = 'probant.services'
/** As long as the CNIL advises that a choice be kept (guidelines of 17 September 2020, §36). */
const keptMs = 183 * 86_400_000

/** Kinds that were agreed to, each with whose it was: another's is another question. */
export type Choice = { readonly at: number; readonly agreed: readonly string[]; readonly asked: readonly string[] }

const named = ({ kind, origin }: { kind: ServiceKind; origin: string }) => `${kind} ${origin}`
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((each) => typeof each === 'string')

/** @returns null for what is no choice, or one of too long ago, or of a clock that was wrong */
export function parseChoice(stored: string | null, now: number): Choice | null {
  try {
    const { at, agreed, asked } = JSON.parse(stored ?? '{}') as Readonly<Record<string, unknown>>
    if (typeof at !== 'number' || !isTexts(agreed) || !isTexts(asked)) return null
    return at <= now && now - at < keptMs ? { at, agreed, asked } : null
  } catch {
    return null
  }
}

/** Where the browser refuses storage the choice lives as long as the page. */
let memory: string | null = null
let snapshot: { readonly of: string | null; readonly choice: Choice | null } = { of: null, choice: null }
const listeners = new Set<() => void>()

function stored(): string | null {
  try {
    return localStorage.getItem(key) ?? memory
  } catch {
    return memory
  }
}

function current(): Choice | null {
  const of = stored()
  if (of !== snapshot.of) snapshot = { of, choice: parseChoice(of, Date.now()) }
  return snapshot.choice
}

function write(value: string | null): void {
  memory = value
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Full, or forbidden: what an earlier visit left there must not speak for this one.
    try {
      localStorage.removeItem(key)
    } catch {
      // Then there is nothing.
    }
  }
  for (const listener of listeners) listener()
}

/** What is not named is refused. */
export function choose(kinds: readonly ServiceKind[]): void {
  const agreed = offered.filter(({ kind }) => kinds.includes(kind)).map(named)
  write(JSON.stringify({ at: Date.now(), agreed, asked: offered.map(named) } satisfies Choice))
}

/** As if nobody had been asked: nothing is agreed to from now on. */
export const askAgain = (): void => write(null)

function onChoice(listener: () => void): () => void {
  const fromOtherTab = (event: StorageEvent) => {
    if (event.key === key || event.key === null) listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', fromOtherTab)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', fromOtherTab)
  }
}

/** Whether all that is offered was asked about. */
const wasAsked = (choice: Choice | null): boolean =>
  choice !== null && offered.every((each) => choice.asked.includes(named(each)))

export function hasAgreed(kind: ServiceKind): boolean {
  const agreed = current()?.agreed ?? []
  return offered.some((each) => each.kind === kind && agreed.includes(named(each)))
}

/** null: the visitor is to be asked. */
export function useAgreed(): readonly ServiceKind[] | null {
  const choice = useSyncExternalStore(onChoice, current, () => null)
  if (!wasAsked(choice)) return null
  return offered.filter((each) => choice?.agreed.includes(named(each)) === true).map(({ kind }) => kind)
}
