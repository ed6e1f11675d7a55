import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '../../kernel/clock.ts'
import { DomainError } from '../../kernel/errors.ts'
import { defaultLocale, isLocale, type Locale } from '../../kernel/locale.ts'
import { importTransfers, listPlans, setPlan } from '../../modules/billing/server/index.ts'
import { argonCost, createAdministrator, createPasswordHasher, invite } from '../../modules/identity/server/index.ts'
import { verifyActs } from '../../platform/acts/verify-acts.ts'
import { ConfigError, configErrorExitCode, loadConfig, type Config } from '../../platform/config/config.ts'
import { createMessages, type MessageId, type Messages } from '../../platform/messages/messages.ts'
import { parseFecOptions, writeFecFile } from './export-fec.ts'
import { listPayments, parsePaymentsOptions } from './list-payments.ts'
import { askSecret } from './terminal/ask-secret.ts'
import type { AdminIo } from './terminal/command-io.ts'
import { withInstallation } from './open-installation.ts'
import { parsePlanOptions, type PlanOptions } from './plan-options.ts'

const passwordVariable = 'PROBANT_ADMIN_PASSWORD'

type Command = (config: Config, io: AdminIo, messages: Messages) => Promise<number>

/** @returns null for wrong use */
function options(argv: readonly string[], names: readonly string[]): Partial<Record<string, string>> | null {
  try {
    const spec = Object.fromEntries([...names, 'lang'].map((name) => [name, { type: 'string' as const }]))
    const { values } = parseArgs({ args: [...argv], options: spec, strict: true })
    return values.lang === undefined || isLocale(values.lang) ? values : null
  } catch {
    return null
  }
}

const localeOf = (value: string | undefined): Locale => (isLocale(value) ? value : defaultLocale)

/**
 * `probant admin create`, `probant admin verify-acts`, `probant admin plan`, `probant admin statement`, `probant admin payments` and `probant admin fec`, on the machine of the installation and by its settings.
 * Exit codes: 0 done, 1 refused or the record of acts is broken, 3 wrong use, 78 wrong settings.
 */
export async function runAdminCommand(argv: readonly string[], io: AdminIo): Promise<number> {
  const [command, ...rest] = argv
  if (command === 'verify-acts') {
    const given = options(rest, [])
    return await run(given === null ? null : verify, io, localeOf(given?.['lang']), 'identity.command.admin_usage')
  }
  if (command === 'plan') {
    return await runAsked(parsePlanOptions(rest), administerPlans, io, 'billing.command.plan_usage')
  }
  if (command === 'fec') {
    return await runAsked(parseFecOptions(rest), writeFecFile, io, 'billing.command.fec_usage')
  }
  if (command === 'payments') {
    return await runAsked(parsePaymentsOptions(rest), listPayments, io, 'billing.command.payments_usage')
  }
  if (command === 'statement') {
    const [file, ...more] = rest
    const given = file === undefined || file.startsWith('--') ? null : options(more, [])
    const importing: Command = async (...deps) => await importStatement(file ?? '', ...deps)
    return await run(given === null ? null : importing, io, localeOf(given?.['lang']), 'billing.command.statement_usage')
  }
  const given = command === 'create' ? options(rest, ['email', 'first-name', 'last-name']) : null
  const email = given?.['email']
  const locale = localeOf(given?.['lang'])
  if (given === null || email === undefined) return await run(null, io, locale, 'identity.command.admin_usage')
  const person = { email, firstName: given['first-name'] ?? 'Probant', lastName: given['last-name'] ?? 'Admin', locale }
  return await run(async (...deps) => await create(person, ...deps), io, locale, 'identity.command.admin_usage')
}

/** `probant invite create [--days N]`. The same exit codes. */
export async function runInviteCommand(argv: readonly string[], io: AdminIo): Promise<number> {
  const [command, ...rest] = argv
  const given = command === 'create' ? options(rest, ['days']) : null
  const locale = localeOf(given?.['lang'])
  const days = /^\d{1,3}$/.test(given?.['days'] ?? '7') ? Number(given?.['days'] ?? 7) : 0
  const isRight = given !== null && days >= 1 && days <= 365
  const inviting: Command = async (...deps) => await makeInvitation(days, ...deps)
  return await run(isRight ? inviting : null, io, locale, 'identity.command.invite_usage')
}

/** @param asked null: wrong use */
async function runAsked<T extends { readonly locale: Locale }>(
  asked: T | null,
  act: (asked: T, ...deps: Parameters<Command>) => Promise<number>,
  io: AdminIo,
  usage: MessageId,
): Promise<number> {
  const command: Command | null = asked === null ? null : async (...deps) => await act(asked, ...deps)
  return await run(command, io, asked?.locale ?? defaultLocale, usage)
}

async function run(command: Command | null, io: AdminIo, locale: Locale, usage: MessageId): Promise<number> {
  const messages = createMessages(locale)
  const say = (text: string) => void io.stderr.write(`${text}\n`)
  if (command === null) {
    say(messages.format(usage))
    return 3
  }
  try {
    // Of this command alone: no setting of the installation.
    const settings = Object.fromEntries(Object.entries(io.env).filter(([name]) => name !== passwordVariable))
    return await command(loadConfig(settings), io, messages)
  } catch (error) {
    if (error instanceof ConfigError) {
      say(error.message)
      return configErrorExitCode
    }
    if (error instanceof DomainError) {
      const codes = Object.values(error.fields).flat()
      const ids = codes.length === 0 ? [error.code] : codes.map((code) => `identity.field.${code}`)
      for (const id of ids) say(messages.has(id) ? messages.format(id, error.data) : id)
    } else say(messages.format('identity.command.unexpected', { reason: error instanceof Error ? error.message : String(error) }))
    return 1
  }
}

async function create(
  person: { readonly email: string; readonly firstName: string; readonly lastName: string; readonly locale: Locale },
  config: Config,
  io: AdminIo,
  messages: Messages,
): Promise<number> {
  const password = io.env[passwordVariable] ?? (await askPassword(io, messages))
  if (password === null) return 1
  const { email } = await withInstallation(config, async (db) => {
    const deps = { db, clock: systemClock, passwords: createPasswordHasher(argonCost), random: randomBytes }
    return await createAdministrator(deps, { ...person, password })
  })
  io.stderr.write(`${messages.format('identity.command.created', { email })}\n`)
  return 0
}

/** Twice, as nobody sees what he types. @returns null when it was given up, or the two differ */
async function askPassword(io: AdminIo, messages: Messages): Promise<string | null> {
  if (io.keyboard.isTTY !== true) {
    io.stderr.write(`${messages.format('identity.command.no_terminal')}\n`)
    return null
  }
  const terminal = { keyboard: io.keyboard, screen: io.stderr }
  const first = await askSecret(messages.format('identity.command.ask_password'), terminal)
  const second = first === null ? null : await askSecret(messages.format('identity.command.ask_again'), terminal)
  if (second !== null && first !== second) io.stderr.write(`${messages.format('identity.field.password_differs')}\n`)
  return first === second ? first : null
}

const verify: Command = async (config, io, messages) => {
  const { lines, head, broken } = await withInstallation(config, verifyActs)
  io.stderr.write(
    `${
      broken === null
        ? messages.format('identity.command.acts_hold', { lines, head })
        : messages.format('identity.command.acts_broken', { number: broken.number, fault: broken.fault })
    }\n`,
  )
  io.stdout.write(`${JSON.stringify({ lines, head, broken })}\n`)
  return broken === null ? 0 : 1
}

async function makeInvitation(days: number, config: Config, io: AdminIo, messages: Messages): Promise<number> {
  const { token, expiresAt } = await withInstallation(
    config,
    async (db) => await invite({ db, clock: systemClock, random: randomBytes }, days),
  )
  io.stderr.write(`${messages.format('identity.command.invited', { until: expiresAt })}\n`)
  io.stdout.write(`${config.publicUrl}/${messages.locale}/authentication/registration/?invitation=${token}\n`)
  return 0
}

/** Transfers of customers to the seller's account, as his bank tells of them; a line of JSON for each that has no reference of ours. */
async function importStatement(file: string, config: Config, io: AdminIo, messages: Messages): Promise<number> {
  const { seller } = config
  if (seller === null) {
    io.stderr.write(`${messages.format('billing.command.nothing_sold')}\n`)
    return 1
  }
  const bytes = await readFile(file)
  const imported = await withInstallation(config, async (db) => await importTransfers({ db, clock: systemClock, seller }, bytes))
  if (imported.state === 'unreadable') {
    io.stderr.write(`${messages.format(`billing.command.statement_${imported.reason}`, { line: imported.line ?? 0 })}\n`)
    return 1
  }
  const { payments, known, unmatched } = imported
  io.stderr.write(
    `${messages.format('billing.command.statement_imported', {
      matched: payments.length,
      known,
      unmatched: unmatched.length,
    })}\n`,
  )
  for (const line of unmatched) io.stdout.write(`${JSON.stringify(line)}\n`)
  return 0
}

/** Prices are changed here alone, never by a release; a line of JSON for each plan, as it is in force from that day on. */
async function administerPlans(asked: PlanOptions, config: Config, io: AdminIo, messages: Messages): Promise<number> {
  const terms = await withInstallation(config, async (db) => {
    const deps = { db, clock: systemClock }
    if (asked.command === 'list') return await listPlans(deps)
    return [await db.transaction().execute(async (tx) => await setPlan(tx, deps, { ...asked, actor: null }))]
  })
  if (asked.command === 'set')
    io.stderr.write(`${messages.format('billing.command.plan_set', { plan: asked.plan, from: asked.from })}\n`)
  for (const each of terms) io.stdout.write(`${JSON.stringify(each)}\n`)
  return 0
}
