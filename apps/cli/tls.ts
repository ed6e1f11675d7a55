import { systemClock } from '../../kernel/clock.ts'
import { defaultLocale, isLocale } from '../../kernel/locale.ts'
import { ConfigError, configErrorExitCode, loadConfig } from '../../platform/config/config.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { createMessages } from '../../platform/messages/messages.ts'
import { renewCertificatesJob } from '../../platform/tls/renew-certificates.ts'
import { bringForward, listCertificates } from '../../platform/tls/tls-store.ts'
import { withInstallation } from './open-installation.ts'
import type { CommandIo } from './terminal/command-io.ts'

/**
 * `probant tls show`, one line of JSON for each name that a certificate was ordered for: until when it holds, when the next is asked for, and in
 * the authority's words why none was had. `probant tls order [HOST]` has it asked for now, whatever it waited for.
 * Exit codes: 0 done, 1 none is ordered here, or nothing was to be brought forward, 3 wrong use, 78 wrong settings.
 */
export async function runTlsCommand(argv: readonly string[], io: Omit<CommandIo, 'signal'>): Promise<number> {
  const at = argv.indexOf('--lang')
  const language = at < 0 ? undefined : argv[at + 1]
  const [command, host, ...rest] = at < 0 ? argv : argv.toSpliced(at, 2)
  const messages = createMessages(isLocale(language) ? language : defaultLocale)
  const say = (text: string) => void io.stderr.write(`${text}\n`)
  const isUsed = (command === 'show' && host === undefined) || command === 'order'
  if (!isUsed || rest.length > 0 || (at >= 0 && !isLocale(language))) {
    say(messages.format('tls.usage'))
    return 3
  }
  try {
    const config = loadConfig(io.env)
    if (config.tls.by !== 'acme') {
      say(messages.format('tls.not_by_acme'))
      return 1
    }
    return await withInstallation(config, async (db) => {
      if (command === 'order') {
        const count = await bringForward(db, systemClock.now(), host)
        if (count > 0) await enqueue(db, renewCertificatesJob, {}, { key: renewCertificatesJob.name })
        say(messages.format('tls.ordered', { count }))
        return count > 0 ? 0 : 1
      }
      const rows = await listCertificates(db)
      if (rows.length === 0) say(messages.format('tls.none'))
      for (const row of rows) {
        const { not_before: from, not_after: until, next_at: next, failures, problem } = row
        io.stdout.write(`${JSON.stringify({ host: row.host, from, until, next, failures, problem })}\n`)
      }
      return 0
    })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    say(error.message)
    return configErrorExitCode
  }
}
