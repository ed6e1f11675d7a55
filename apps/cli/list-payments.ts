import { parseArgs } from 'node:util'
import { systemClock } from '../../kernel/clock.ts'
import { DomainError } from '../../kernel/errors.ts'
import { defaultLocale, isLocale, type Locale } from '../../kernel/locale.ts'
import { listUnknownPayments, openProvider } from '../../modules/billing/server/index.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Messages } from '../../platform/messages/messages.ts'
import { withInstallation } from './open-installation.ts'
import { isDay } from './plan-options.ts'
import type { CommandIo } from './terminal/command-io.ts'

export type PaymentsOptions = { readonly locale: Locale; readonly since: Date }

/** Of `probant admin payments …`. @returns null for wrong use */
export function parsePaymentsOptions(argv: readonly string[]): PaymentsOptions | null {
  try {
    const option = { type: 'string' } as const
    const { values } = parseArgs({ args: [...argv], options: { since: option, lang: option }, strict: true })
    const [, day = '', time = '00:00'] = /^([\d-]{10})(?:T([01]\d:[0-5]\d|2[0-3]:[0-5]\d)Z?)?$/.exec(values.since ?? '') ?? []
    const { lang: locale = defaultLocale } = values
    return isDay(day) && isLocale(locale) ? { locale, since: new Date(`${day}T${time}:00Z`) } : null
  } catch {
    return null
  }
}

/**
 * A line of JSON for each payment that the provider has and these books do not.
 * @returns 0: there is none; 1: there are, or nobody could say
 */
export async function listPayments(
  { since }: PaymentsOptions,
  config: Config,
  io: Pick<CommandIo, 'stdout' | 'stderr'>,
  messages: Messages,
): Promise<number> {
  if (config.seller === null) throw new DomainError('conflict', 'billing.command.nothing_sold')
  const provider = openProvider(config.mangopay, systemClock)
  if (provider === null) throw new DomainError('conflict', 'billing.command.payments_no_provider')
  const unknown = await withInstallation(config, async (db) => await listUnknownPayments({ db, provider }, since))
  if (unknown === 'unknown') throw new DomainError('unavailable', 'billing.command.payments_silent')
  for (const { payment, outcome } of unknown) io.stdout.write(`${JSON.stringify({ payment, ...outcome })}\n`)
  const told = { count: unknown.length, since: since.toISOString() }
  io.stderr.write(`${messages.format('billing.command.payments_unknown', told)}\n`)
  return unknown.length === 0 ? 0 : 1
}
