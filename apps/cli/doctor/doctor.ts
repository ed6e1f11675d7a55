import { parseArgs } from 'node:util'
import { join } from 'node:path'
import { defaultLocale, isLocale, type Locale } from '../../../kernel/locale.ts'
import { ConfigError, loadConfig, type Config } from '../../../platform/config/config.ts'
import { runningPostgresUrl } from '../../../platform/db/embedded-postgres.ts'
import type { MessageId } from '../../../platform/messages/catalogue.ts'
import { createMessages, type Messages } from '../../../platform/messages/messages.ts'
import type { CommandIo } from '../terminal/command-io.ts'
import { machineChecks } from './checks-of-machine.ts'
import { outsideChecks } from './checks-of-others.ts'
import { storageChecks } from './checks-of-storage.ts'
import { fine, forbids, mend, reasonOf, type Check, type CheckName, type Finding, type Grade } from './finding.ts'

const exitCodes: Readonly<Record<Grade, number>> = { fine: 0, mend: 1, forbids: 2 }
const wrongUse = 3

export type Told = { readonly check: CheckName; readonly findings: readonly Finding[] }

/** `probant doctor`: every check at once, none stops another, each ends in time. Nothing of the installation is changed. */
export async function runDoctorCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const use = readUse(argv)
  const messages = createMessages(use?.locale ?? defaultLocale)
  if (use === null) {
    io.stderr.write(`${messages.format('doctor.usage')}\n`)
    return wrongUse
  }
  const told = await examine(io)
  const worst = told
    .flatMap(({ findings }) => findings)
    .reduce<Grade>((grade, each) => (exitCodes[each.grade] > exitCodes[grade] ? each.grade : grade), 'fine')
  if (use.json) io.stdout.write(`${JSON.stringify(presentJson(messages, worst, told), null, 1)}\n`)
  else io.stdout.write(presentText(messages, worst, told))
  return exitCodes[worst]
}

function readUse(argv: readonly string[]): { locale: Locale; json: boolean } | null {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { json: { type: 'boolean', default: false }, lang: { type: 'string', default: defaultLocale } },
    })
    return isLocale(values.lang) ? { locale: values.lang, json: values.json } : null
  } catch {
    return null
  }
}

async function examine(io: CommandIo): Promise<readonly Told[]> {
  let config: Config
  try {
    config = loadConfig(io.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // Where things are is not known: nothing else can be looked at.
    return [{ check: 'settings', findings: error.faults.map((fault) => forbids('settings_wrong', { fault })) }]
  }
  const databaseUrl = config.databaseUrl ?? runningPostgresUrl(join(config.dataFolder, 'postgres'))
  const checks = [...storageChecks(config, databaseUrl), ...machineChecks(config), ...outsideChecks(config)]
  const settings: Told = { check: 'settings', findings: [fine('settings')] }
  return [settings, ...(await Promise.all(checks.map(async (check) => await runCheck(check, io.signal))))]
}

/** Never throws, and ends in time. */
export async function runCheck(check: Check, stop: AbortSignal): Promise<Told> {
  const late = Promise.withResolvers<Finding>()
  const ending = new AbortController()
  const timer = setTimeout(() => {
    late.resolve(mend('late', { seconds: check.patienceMs / 1000 }))
    ending.abort()
  }, check.patienceMs)
  try {
    const found = await Promise.race([check.run(AbortSignal.any([stop, ending.signal])), late.promise])
    return { check: check.name, findings: Array.isArray(found) ? (found as readonly Finding[]) : [found as Finding] }
  } catch (error) {
    return { check: check.name, findings: [mend('failed', { reason: reasonOf(error) })] }
  } finally {
    clearTimeout(timer)
  }
}

const say = (messages: Messages, { code, data = {} }: Finding): string => messages.format(`doctor.said.${code}`, data)

/** What to do; of what is fine, nothing. */
const advise = (messages: Messages, { code, grade, data = {} }: Finding): string | null =>
  grade === 'fine' ? null : messages.format(`doctor.do.${code}` as MessageId, data)

function presentText(messages: Messages, worst: Grade, told: readonly Told[]): string {
  const width = Math.max(
    ...(['fine', 'mend', 'forbids'] as const).map((grade) => messages.format(`doctor.grade.${grade}`).length),
  )
  const lines = told.flatMap(({ check, findings }) =>
    findings.flatMap((finding) => {
      const grade = messages.format(`doctor.grade.${finding.grade}`).padEnd(width)
      const advice = advise(messages, finding)
      const line = `${grade}  ${messages.format('doctor.line', { check: messages.format(`doctor.check.${check}`), said: say(messages, finding) })}`
      return advice === null ? [line] : [line, `${' '.repeat(width)}  → ${advice}`]
    }),
  )
  return `${[...lines, '', messages.format(`doctor.end.${worst}`)].join('\n')}\n`
}

function presentJson(messages: Messages, worst: Grade, told: readonly Told[]): object {
  return {
    grade: worst,
    exit_code: exitCodes[worst],
    findings: told.flatMap(({ check, findings }) =>
      findings.map((finding) => ({
        check,
        grade: finding.grade,
        code: finding.code,
        data: finding.data ?? {},
        said: say(messages, finding),
        advice: advise(messages, finding),
      })),
    ),
  }
}
