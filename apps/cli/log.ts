import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../kernel/clock.ts'
import { DomainError } from '../../kernel/errors.ts'
import { defaultLocale, isLocale } from '../../kernel/locale.ts'

import { readTail } from '../../modules/backup/server/index.ts'
import { openKeyring, resumeLog } from '../../modules/sealing/server/index.ts'
import { ConfigError, configErrorExitCode, loadConfig } from '../../platform/config/config.ts'
import { silentLog } from '../../platform/log/log.ts'
import { createMessages } from '../../platform/messages/messages.ts'
import { withInstallation } from './open-installation.ts'
import type { CommandIo } from './terminal/command-io.ts'

function readUse(argv: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: { newest: { type: 'string' }, 'nothing-since': { type: 'boolean' }, lang: { type: 'string' } },
      allowPositionals: true,
      strict: true,
    })
    const isRight = (values.newest === undefined) === (values['nothing-since'] === true) && positionals.join(' ') === 'resume'
    return isRight && (values.lang === undefined || isLocale(values.lang)) ? values : null
  } catch {
    return null
  }
}

/**
 * `probant log resume`: after a restore, lets the public log go on from the newest checkpoint that is known outside.
 * Exit codes: 0 it goes on, 1 refused, 3 wrong use, 78 wrong settings.
 */
export async function runLogCommand(argv: readonly string[], io: Omit<CommandIo, 'signal'>): Promise<number> {
  const given = readUse(argv)
  const messages = createMessages(isLocale(given?.lang) ? given.lang : defaultLocale)
  const say = (text: string) => void io.stderr.write(`${text}\n`)
  if (given === null) {
    say(messages.format('sealing.log.usage'))
    return 3
  }
  try {
    const config = loadConfig(io.env)
    const newest = given.newest === undefined ? null : await readFile(given.newest)
    const keyring = await openKeyring({
      dir: join(config.dataFolder, 'keys'),
      clock: systemClock,
      log: silentLog,
      token: config.sealingToken ?? undefined,
    })
    const folder = join(config.dataFolder, 'log')
    const tail = await readTail(folder)
    const resumed = await withInstallation(config, async (db) => await resumeLog({ db, keyring, folder }, newest, tail))
    say(messages.format('sealing.log.resumed', resumed))
    io.stdout.write(`${JSON.stringify(resumed)}\n`)
    return 0
  } catch (error) {
    if (error instanceof ConfigError) {
      say(error.message)
      return configErrorExitCode
    }
    const known = error instanceof DomainError && messages.has(error.code)
    say(known ? messages.format(error.code, error.data) : error instanceof Error ? error.message : String(error))
    return 1
  }
}
