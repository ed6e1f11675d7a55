import { parseArgs } from 'node:util'
import { defaultLocale, isLocale, type Locale } from '../../kernel/locale.ts'
import type { PlanChange } from '../../modules/billing/server/index.ts'
import { plans, type Plan } from '../../modules/billing/domain/plan/plan.ts'

export type PlanOptions =
  | { readonly command: 'list'; readonly locale: Locale }
  | { readonly command: 'set'; readonly locale: Locale; readonly plan: Plan; readonly from: string; readonly change: PlanChange }

const cents = { month: 'monthCents', year: 'yearCents', report: 'reportCents', timestamp: 'timestampCents' } as const
const quotas = { reports: 'reportsPerMonth', timestamps: 'timestampsPerMonth' } as const
const counts = { drafts: 'drafts', seats: 'seats' } as const
const names = [...Object.keys(cents), ...Object.keys(quotas), ...Object.keys(counts), 'from', 'lang']

export function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  // 31 February is parsed as a day of March.
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** Whole and small enough for an invoice; `any`, where there may be any number, is null. */
function amount(text: string, { least, any }: { least: number; any: boolean }): number | null | undefined {
  if (any && text === 'any') return null
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return value >= least ? value : undefined
}

/** Of `probant admin plan …`. @returns null for wrong use */
export function parsePlanOptions(argv: readonly string[]): PlanOptions | null {
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
    const { values, positionals } = parseArgs({ args: [...argv], options, strict: true, allowPositionals: true })
    const given = values as Readonly<Record<string, string | undefined>>
    const locale = given['lang'] ?? defaultLocale
    const [command, name, ...more] = positionals
    if (!isLocale(locale) || more.length > 0) return null
    if (command === 'list')
      return name === undefined && Object.keys(given).every((key) => key === 'lang') ? { command, locale } : null
    const plan = plans.find((each) => each === name)
    const from = given['from']
    if (command !== 'set' || plan === undefined || from === undefined || !isDay(from)) return null
    const wanted = [
      ...Object.entries(cents).map(([option, field]) => [field, option, { least: 0, any: false }] as const),
      ...Object.entries(quotas).map(([option, field]) => [field, option, { least: 0, any: true }] as const),
      ...Object.entries(counts).map(([option, field]) => [field, option, { least: 1, any: false }] as const),
    ].flatMap(([field, option, rule]) => {
      const text = given[option]
      return text === undefined ? [] : [[field, amount(text, rule)] as const]
    })
    if (wanted.length === 0 || wanted.some(([, value]) => value === undefined)) return null
    return { command, locale, plan, from, change: Object.fromEntries(wanted) }
  } catch {
    return null
  }
}
