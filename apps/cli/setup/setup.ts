import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { defaultLocale, isLocale, type Locale } from '../../../kernel/locale.ts'
import { ConfigError, configErrorExitCode } from '../../../platform/config/config.ts'
import { readSettingsFile, settingsFileOf, usualSettingsFile } from '../../../platform/config/settings-file.ts'
import { createMessages, type Messages } from '../../../platform/messages/messages.ts'
import { askSecret } from '../terminal/ask-secret.ts'
import type { AdminIo, CommandIo } from '../terminal/command-io.ts'
import { askSettings, type Asker } from './ask-settings.ts'
import { captureFirst, type CaptureDeps } from './answers/first-capture.ts'
import { serveSetup } from './page/serve-setup.ts'
import { trySettings } from './answers/try-settings.ts'
import { environmentOf, writeSettings } from './answers/write-settings.ts'

type SetupIo = AdminIo & CommandIo

/** Other commands, as whoever sets up would give them. */
export type SetupDeps = CaptureDeps & {
  readonly createAdministrator: (argv: readonly string[], io: AdminIo) => Promise<number>
}

class GivenUp extends Error {}

/**
 * `probant setup`: asks what an installation has to know, tries each answer for real, writes the file of settings, makes the first administrator,
 * and has a first capture made and verified. Nothing is written before the last answer; whatever was in the file before and is not asked for stays.
 * With `--page` it asks in a browser of this machine.
 * Exit codes: 0 done, 1 given up, or the first capture did not hold, 3 wrong use, 78 the file of settings cannot be read.
 */
export async function runSetupCommand(argv: readonly string[], io: SetupIo, deps: SetupDeps): Promise<number> {
  const given = options(argv)
  const messages = createMessages(given?.locale ?? defaultLocale)
  const say = (text: string) => void io.stderr.write(`${text}\n`)
  if (given === null) {
    say(messages.format('setup.usage'))
    return 3
  }
  if (io.keyboard.isTTY !== true && given.port === null) {
    say(messages.format('setup.no_terminal'))
    return 1
  }
  const asker = askerOf(io)
  try {
    const file = given.file ?? settingsFileOf(io.env) ?? usualSettingsFile
    const before = existsSync(file) ? readSettingsFile(file) : {}
    if (given.port !== null) return await serveSetup({ port: given.port, file, before, locale: given.locale }, io, deps)
    say(messages.format('setup.begin', { file }))
    const answers = await askSettings(before, {
      asker,
      messages,
      attempt: async (step, config) =>
        await trySettings(step, config, {
          messages,
          askRecipient: async () => (await asker.ask(`  ${messages.format('setup.ask.recipient')} `, false)).trim(),
        }),
    })
    await writeSettings(file, answers, messages)
    say(`\n${messages.format('setup.written', { file })}`)
    // Every command has what was just answered, and nothing of before.
    const env = environmentOf(io.env, answers)
    await makeAdministrator({ ...io, env }, asker, messages, deps)
    const code = await askFirst({ ...io, env }, asker, messages, deps)
    say(`\n${messages.format('setup.start')}`)
    return code
  } catch (error) {
    if (error instanceof GivenUp) {
      say(`\n${messages.format('setup.given_up')}`)
      return 1
    }
    if (!(error instanceof ConfigError)) throw error
    say(error.message)
    return configErrorExitCode
  }
}

type Options = { readonly locale: Locale; readonly file: string | undefined; readonly port: number | null }

/** Where the page is, unless somebody else has that port: `ssh -L` names it. */
const usualPort = 8099

function options(argv: readonly string[]): Options | null {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        lang: { type: 'string', default: defaultLocale },
        file: { type: 'string' },
        page: { type: 'boolean', default: false },
        port: { type: 'string' },
      },
      strict: true,
    })
    const { lang, file, page, port = String(usualPort) } = values
    if (!isLocale(lang) || !/^\d{1,5}$/.test(port) || Number(port) > 65_535) return null
    return { locale: lang, file: file === undefined ? undefined : resolve(file), port: page ? Number(port) : null }
  } catch {
    return null
  }
}

function askerOf({ keyboard, stderr, signal }: SetupIo): Asker {
  return {
    say: (text) => void stderr.write(`${text}\n`),
    async ask(question, hidden) {
      if (signal.aborted) throw new GivenUp()
      if (hidden) {
        const typed = await askSecret(question, { keyboard, screen: stderr })
        if (typed === null) throw new GivenUp()
        return typed
      }
      stderr.write(question)
      const lines = createInterface({ input: keyboard, terminal: false })
      const line = Promise.withResolvers<string>()
      const giveUp = () => line.reject(new GivenUp())
      lines.once('line', line.resolve).once('close', giveUp)
      signal.addEventListener('abort', giveUp, { once: true })
      try {
        return await line.promise
      } finally {
        signal.removeEventListener('abort', giveUp)
        lines.close()
      }
    },
  }
}

async function makeAdministrator(io: SetupIo, asker: Asker, messages: Messages, deps: SetupDeps): Promise<void> {
  asker.say(`\n${messages.format('setup.administrator')}`)
  for (;;) {
    const email = (await asker.ask(`  ${messages.format('setup.ask.email')} `, false)).trim()
    if (email === '' || (await deps.createAdministrator(['create', '--email', email, '--lang', messages.locale], io)) === 0)
      return
  }
}

async function askFirst(io: SetupIo, asker: Asker, messages: Messages, deps: SetupDeps): Promise<number> {
  asker.say(`\n${messages.format('setup.first')}`)
  const address = (await asker.ask(`  ${messages.format('setup.ask.first')} `, false)).trim()
  if (address === '') return 0
  const holds = await captureFirst(address, io, messages, deps)
  asker.say(`  ${holds ? '✓' : '✗'} ${messages.format(holds ? 'setup.first.holds' : 'setup.first.fails')}`)
  return holds ? 0 : 1
}
