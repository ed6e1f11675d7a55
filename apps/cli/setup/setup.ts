import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, open, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { defaultLocale, isLocale, type Locale } from '../../../kernel/locale.ts'
import { ConfigError, configErrorExitCode } from '../../../platform/config/config.ts'
import { readSettingsFile, settingsFileOf, settingsLine, usualSettingsFile } from '../../../platform/config/settings-file.ts'
import { createMessages, type Messages } from '../../../platform/messages/messages.ts'
import { askSecret } from '../terminal/ask-secret.ts'
import type { AdminIo, CommandIo } from '../terminal/command-io.ts'
import { askSettings, type Asker } from './ask-settings.ts'
import { trySettings } from './try-settings.ts'

type SetupIo = AdminIo & CommandIo

/** Other commands, as whoever sets up would give them. */
export type SetupDeps = {
  readonly createAdministrator: (argv: readonly string[], io: AdminIo) => Promise<number>
  readonly capture: (argv: readonly string[], io: CommandIo) => Promise<number>
  readonly verify: (argv: readonly string[], io: CommandIo) => Promise<number>
}

class GivenUp extends Error {}

/**
 * `probant setup`: asks what an installation has to know, tries each answer for real, writes the file of settings, makes the first administrator,
 * and has a first capture made and verified. Nothing is written before the last answer; whatever was in the file before and is not asked for stays.
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
  if (io.keyboard.isTTY !== true) {
    say(messages.format('setup.no_terminal'))
    return 1
  }
  const asker = askerOf(io)
  try {
    const file = given.file ?? settingsFileOf(io.env) ?? usualSettingsFile
    const before = existsSync(file) ? readSettingsFile(file) : {}
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
    await write(file, answers, messages)
    say(`\n${messages.format('setup.written', { file })}`)
    // Every command has what was just answered, and nothing of before.
    const env = { ...withoutSettings(io.env), ...Object.fromEntries(answers), PROBANT_SETTINGS: 'none' }
    await makeAdministrator({ ...io, env }, asker, messages, deps)
    const code = await captureFirst({ ...io, env }, asker, messages, deps)
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

function options(argv: readonly string[]): { readonly locale: Locale; readonly file: string | undefined } | null {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { lang: { type: 'string' }, file: { type: 'string' } },
      strict: true,
    })
    const locale = values.lang ?? defaultLocale
    return isLocale(locale) ? { locale, file: values.file === undefined ? undefined : resolve(values.file) } : null
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

/** Whole or not at all, and only its owner's from the first octet on. */
async function write(file: string, answers: ReadonlyMap<string, string>, messages: Messages): Promise<void> {
  const lines = [...answers].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => settingsLine(name, value))
  const partial = `${file}.${randomUUID()}`
  const handle = await open(partial, 'wx', 0o600)
  try {
    await handle.writeFile(`# ${messages.format('setup.file')}\n${lines.join('\n')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(partial, file)
  const folder = await open(dirname(file))
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const withoutSettings = (env: CommandIo['env']): CommandIo['env'] =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PROBANT_')))

async function makeAdministrator(io: SetupIo, asker: Asker, messages: Messages, deps: SetupDeps): Promise<void> {
  asker.say(`\n${messages.format('setup.administrator')}`)
  for (;;) {
    const email = (await asker.ask(`  ${messages.format('setup.ask.email')} `, false)).trim()
    if (email === '' || (await deps.createAdministrator(['create', '--email', email, '--lang', messages.locale], io)) === 0)
      return
  }
}

async function captureFirst(io: SetupIo, asker: Asker, messages: Messages, deps: SetupDeps): Promise<number> {
  asker.say(`\n${messages.format('setup.first')}`)
  const address = (await asker.ask(`  ${messages.format('setup.ask.first')} `, false)).trim()
  if (address === '') return 0
  const folder = await mkdtemp(join(tmpdir(), 'probant-first-'))
  try {
    const file = join(folder, 'first.zip')
    const captured = await deps.capture([address, '-o', file, '--lang', messages.locale], io)
    // What an authority that nobody knows sealed is intact, and not more: 2.
    const verified = captured === 0 ? await deps.verify([file, '--lang', messages.locale], io) : 1
    const holds = verified === 0 || verified === 2
    asker.say(`  ${holds ? '✓' : '✗'} ${messages.format(holds ? 'setup.first.holds' : 'setup.first.fails')}`)
    return holds ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
