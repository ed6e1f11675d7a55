import { parseArgs } from 'node:util'
import { defaultLocale, isLocale } from '../../kernel/locale.ts'
import { ConfigError, configErrorExitCode, loadConfig } from '../../platform/config/config.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { createMessages } from '../../platform/messages/messages.ts'
import { withDatabaseUrl } from './open-installation.ts'
import type { CommandIo } from './terminal/command-io.ts'

/**
 * `probant migrate`: brings the database up to date and ends, where roles are started by themselves. What is applied is left alone, so that
 * it may run each time. On stdout a line of JSON. Exit codes: 0 up to date, 1 refused or failed, 3 wrong use, 78 wrong settings.
 */
export async function runMigrateCommand(argv: readonly string[], io: Omit<CommandIo, 'signal'>): Promise<number> {
  const locale = readLocale(argv)
  if (locale === null) return 3
  try {
    const applied = await withDatabaseUrl(loadConfig(io.env), migrate)
    io.stdout.write(`${JSON.stringify({ applied })}\n`)
    return 0
  } catch (error) {
    if (error instanceof ConfigError) {
      io.stderr.write(`${error.message}\n`)
      return configErrorExitCode
    }
    const reason = error instanceof Error ? error.message : String(error)
    io.stderr.write(`${createMessages(locale).format('capture.command.unexpected', { reason })}\n`)
    return 1
  }
}

function readLocale(argv: readonly string[]) {
  try {
    const { lang = defaultLocale } = parseArgs({ args: [...argv], options: { lang: { type: 'string' } }, strict: true }).values
    return isLocale(lang) ? lang : null
  } catch {
    return null
  }
}
