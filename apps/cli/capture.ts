import { randomUUIDv7 } from 'node:crypto'
import { access, constants, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../kernel/clock.ts'
import { defaultLocale, isLocale, type Locale } from '../../kernel/locale.ts'
import {
  captureLimitsFrom,
  captureStatic,
  CaptureFailure,
  createConditionProbes,
  sweepSessionFolders,
  type CaptureProgress,
  type CaptureResult,
  type Notary,
} from '../../modules/capture/server/index.ts'
import { ConfigError, configErrorExitCode, loadConfig } from '../../platform/config/config.ts'
import { silentLog, type Log } from '../../platform/log/log.ts'
import { createMessages } from '../../platform/messages/messages.ts'
import { optionFlags, readPreparation, type AskedOptions } from './capture-options.ts'
import type { CommandIo } from './terminal/command-io.ts'
import { printable } from './terminal/printable.ts'

/** Seals what was captured and writes the package to `outFile`. */
export type Finalise = (input: {
  readonly evidenceId: string
  readonly captured: CaptureResult
  readonly locale: Locale
  /** Absolute. Written whole or not at all. */
  readonly outFile: string
  /** Temporary folder, removed afterwards. */
  readonly workDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Log
  readonly signal: AbortSignal
}) => Promise<{ readonly root: string; readonly state: string }>

/** Those who date and sign while the capture runs; the keys are those that `finalise` seals with. */
export type OpenNotary = (input: Pick<Parameters<Finalise>[0], 'workDir' | 'env' | 'log'>) => Promise<Notary>

/**
 * Exit codes: 0 package written, 1 the page could not be captured, 2 sealing or writing failed, 3 wrong use, 4 package written but below
 * the quality that `--require` asks for, 78 wrong settings, 130 interrupted.
 */
export async function runCaptureCommand(
  argv: readonly string[],
  io: CommandIo,
  deps: { readonly finalise: Finalise; readonly openNotary: OpenNotary },
): Promise<number> {
  const parsed = parse(argv)
  const locale = parsed?.locale ?? defaultLocale
  const messages = createMessages(locale)
  const say = (text: string) => void io.stderr.write(`${text}\n`)
  if (parsed === null) {
    say(messages.format('capture.command.usage'))
    return 3
  }
  let config
  try {
    config = loadConfig(io.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    say(error.message)
    return configErrorExitCode
  }
  const outFile = resolve(parsed.outFile)
  const unwritable = await whyUnwritable(outFile)
  if (unwritable !== null) {
    say(messages.format('capture.command.exists', { file: parsed.outFile, reason: unwritable }))
    return 3
  }
  const options = await readPreparation(parsed.options, config.scenariosFolder, messages)
  if ('fault' in options) {
    say(printable(options.fault))
    return 3
  }
  const log: Log = {
    ...silentLog,
    error: (facts: object | string, message?: string) => say(message ?? (typeof facts === 'string' ? facts : '')),
  }
  const evidenceId = randomUUIDv7()
  const workDir = await mkdtemp(join(tmpdir(), 'probant-capture-'))
  try {
    await sweepSessionFolders()
    const notary = await deps.openNotary({ workDir, env: io.env, log })
    const captured = await captureStatic(
      {
        evidenceId,
        url: parsed.url,
        locale,
        workDir,
        limits: captureLimitsFrom(config.captureLimits),
        operator: config.operator,
        allowAddresses: config.allowAddresses,
        includeTlsKeys: parsed.tlsKeys,
        preparation: options.preparation,
        onProgress: parsed.quiet ? () => undefined : createProgressPrinter(say, messages),
      },
      {
        clock: systemClock,
        log,
        signal: io.signal,
        notary,
        conditions: createConditionProbes(config.conditions, {
          kept: { folder: join(config.dataFolder, 'servers'), clock: systemClock },
        }),
        isolationOverride: config.unjailedBrowser,
      },
    )
    if (!parsed.quiet) {
      for (const { code, data } of captured.facts.warnings)
        say(printable(messages.format('capture.command.warning', { text: messages.format(`capture.warning.${code}`, data) })))
      const { verdict, coverage } = captured.facts.quality
      say(
        messages.format('capture.command.quality', {
          verdict: messages.format(`capture.quality.verdict.${verdict}`),
          sentence: messages.format(`capture.quality.sentence.${verdict}`),
          coverage: messages.format('capture.quality.coverage', coverage),
        }),
      )
      say(messages.format('capture.command.finalising'))
    }
    const { root, state } = await deps.finalise({
      evidenceId,
      captured,
      locale,
      outFile,
      workDir,
      env: io.env,
      log,
      signal: io.signal,
    })
    if (!parsed.quiet) say(messages.format('capture.command.written', { file: parsed.outFile }))
    const { quality, warnings, completeness, scenario, cookie_banner } = captured.facts
    const { verdict, advice, coverage } = quality
    const result = { evidence_id: evidenceId, root, state, package: outFile }
    io.stdout.write(
      `${JSON.stringify({ ...result, quality: { verdict, advice }, coverage, warnings, completeness, scenario, cookie_banner })}\n`,
    )
    if (grades.indexOf(verdict) <= grades.indexOf(parsed.require)) return 0
    say(
      messages.format('capture.command.below', {
        required: messages.format(`capture.quality.verdict.${parsed.require}`),
        file: parsed.outFile,
      }),
    )
    return 4
  } catch (error) {
    if (io.signal.aborted) {
      say(messages.format('capture.failure.cancelled'))
      return 130
    }
    if (error instanceof CaptureFailure) {
      say(messages.format('capture.command.failed', { reason: messages.format(`capture.failure.${error.code}`, error.data) }))
      return 1
    }
    say(messages.format('capture.command.unexpected', { reason: error instanceof Error ? error.message : String(error) }))
    return 2
  } finally {
    await rm(workDir, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Best first. */
const grades = ['good', 'doubtful', 'poor'] as const

type Arguments = {
  readonly url: string
  readonly outFile: string
  readonly locale: Locale
  readonly quiet: boolean
  readonly tlsKeys: boolean
  /** The package is written whatever it is; a worse one ends in exit code 4. */
  readonly require: (typeof grades)[number]
  readonly options: AskedOptions
}

function parse(argv: readonly string[]): Arguments | null {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        output: { type: 'string', short: 'o' },
        lang: { type: 'string', default: defaultLocale },
        quiet: { type: 'boolean', short: 'q', default: false },
        'tls-keys': { type: 'boolean', default: false },
        require: { type: 'string', default: 'poor' },
        ...optionFlags,
      },
    })
    const [url, ...more] = positionals
    const required = grades.find((grade) => grade === values.require)
    if (required === undefined) return null
    if (url === undefined || more.length > 0 || values.output === undefined || values.output === '' || !isLocale(values.lang))
      return null
    return {
      url,
      outFile: values.output,
      locale: values.lang,
      quiet: values.quiet,
      tlsKeys: values['tls-keys'],
      require: required,
      options: {
        closeCookies: values['close-cookies'],
        scenario: values.scenario,
        scenarioFile: values['scenario-file'],
        scenarioInput: values['scenario-input'],
      },
    }
  } catch {
    // parseArgs throws on unknown options and missing values.
    return null
  }
}

/** Known before a minute is spent on capturing. */
async function whyUnwritable(file: string): Promise<string | null> {
  try {
    await access(dirname(file), constants.W_OK)
    const there = await stat(file).catch(() => null)
    return there?.isDirectory() === true ? 'EISDIR' : null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

/** One line for each step, with the seconds since the start. */
function createProgressPrinter(
  say: (text: string) => void,
  messages: ReturnType<typeof createMessages>,
): (progress: CaptureProgress) => void {
  const began = performance.now()
  return ({ step, data }) => {
    const id = `capture.step.${step}`
    if (messages.has(id)) say(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${messages.format(id, data)}`)
  }
}
