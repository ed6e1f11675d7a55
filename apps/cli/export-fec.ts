import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DomainError } from '../../kernel/errors.ts'
import { defaultLocale, isLocale, type Locale } from '../../kernel/locale.ts'
import { exportFec } from '../../modules/billing/server/index.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Messages } from '../../platform/messages/messages.ts'
import { withInstallation } from './open-installation.ts'
import { isDay } from './plan-options.ts'
import type { CommandIo } from './terminal/command-io.ts'

/** Days are included. */
export type FecOptions = { readonly locale: Locale; readonly from: string; readonly to: string; readonly folder: string }

/** The year that ends on a day begins on the day after it the year before: of 28 February, whatever the year, on 1 March. */
function beginOfYear(to: string): string {
  const [year = 0, month = 1, day = 1] = to.split('-').map(Number)
  const isEndOfFebruary = month === 2 && day >= 28
  return new Date(Date.UTC(year - 1, isEndOfFebruary ? 2 : month - 1, isEndOfFebruary ? 1 : day + 1)).toISOString().slice(0, 10)
}

/** Of `probant admin fec …`. @returns null for wrong use */
export function parseFecOptions(argv: readonly string[]): FecOptions | null {
  try {
    const option = { type: 'string' } as const
    const { values } = parseArgs({
      args: [...argv],
      options: { from: option, to: option, out: option, lang: option },
      strict: true,
    })
    const { to, from = beginOfYear(to ?? ''), out: folder = '.', lang: locale = defaultLocale } = values
    if (to === undefined || !isDay(to) || !isDay(from) || from > to || folder === '' || !isLocale(locale)) return null
    return { locale, from, to, folder }
  } catch {
    return null
  }
}

/** Into a file that is named as the law wants it, written as it is read; what is there is left as it is. */
export async function writeFecFile(
  { from, to, folder }: FecOptions,
  config: Config,
  io: Pick<CommandIo, 'stdout' | 'stderr'>,
  messages: Messages,
): Promise<number> {
  const { seller } = config
  if (seller === null) throw new DomainError('conflict', 'billing.command.nothing_sold')
  const { path, lines } = await withInstallation(config, async (db) => {
    const exported = exportFec(db, seller, { from, to })
    const path = join(folder, exported.fileName)
    const file = await open(path, 'wx', 0o600)
    try {
      let lines = -1
      for await (const line of exported.lines) {
        await file.write(line)
        lines += 1
      }
      return { path, lines }
    } finally {
      await file.close()
    }
  })
  io.stderr.write(`${messages.format('billing.command.fec_written', { path, lines, from, to })}\n`)
  io.stdout.write(`${JSON.stringify({ path, lines, from, to })}\n`)
  return 0
}
