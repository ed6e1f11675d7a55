/** `probant verify FILE|FOLDER`: every check, in plain words or as JSON. */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Locale, defaultLocale, isLocale } from '../../kernel/locale.ts'
import {
  type Check,
  type VerificationReport,
  type Words,
  VerificationStopped,
  describeCheck,
  describeQualified,
  describeVerdict,
  hostSha256,
  openPackageSource,
  readPem,
  shippedLists,
  verifyPackage,
  visible,
} from '../../modules/verification/server/index.ts'
import { type Messages, createMessages } from '../../platform/messages/messages.ts'

export type VerifyIo = {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/** @returns 0 all passed, 1 one failed, 2 indeterminate, 3 unusable input. */
export async function runVerifyCommand(argv: readonly string[], io: VerifyIo): Promise<number> {
  const options = readOptions(argv)
  const messages = createMessages(options?.locale ?? localeOf(io.env['LANG']))
  const words = wordsOf(messages)
  if (options === undefined) {
    io.stderr.write(`${words.format('verification.cli.usage', {})}\n`)
    return 3
  }
  const { path, trustFile, json } = options
  const failed = (id: string, values: Record<string, string>): number => {
    io.stderr.write(`${words.format(`verification.cli.${id}`, values)}\n`)
    return 3
  }
  let trust: Uint8Array | undefined
  let opened: Awaited<ReturnType<typeof openPackageSource>>
  try {
    if (trustFile !== undefined) trust = await readTrust(trustFile)
    if (trustFile !== undefined && trust === undefined) return failed('bad_trust', { path: visible(trustFile) })
    opened = await openPackageSource(path)
  } catch (error) {
    return failed('cannot_open', { path: visible(path), reason: error instanceof Error ? visible(error.message) : '' })
  }
  try {
    const report = await verifyPackage(opened.source, {
      now: () => new Date(),
      sha256: hostSha256,
      signal: io.signal,
      trustedLists: shippedLists().lists,
      ...(trust === undefined ? {} : { trust }),
    })
    io.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : describe(report, words))
    if (report.unusable) return 3
    return report.verdict === 'TOTAL-PASSED' ? 0 : report.verdict === 'TOTAL-FAILED' ? 1 : 2
  } catch (error) {
    if (error instanceof VerificationStopped) return failed('stopped', {})
    throw error
  } finally {
    await opened.close()
  }
}

type Options = { path: string; locale: Locale | undefined; json: boolean; trustFile: string | undefined }

function readOptions(argv: readonly string[]): Options | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { lang: { type: 'string' }, json: { type: 'boolean' }, trust: { type: 'string' } },
    })
    const [path, ...more] = positionals
    if (path === undefined || more.length > 0 || (values.lang !== undefined && !isLocale(values.lang))) return undefined
    return { path, locale: isLocale(values.lang) ? values.lang : undefined, json: values.json === true, trustFile: values.trust }
  } catch {
    // Unknown or incomplete options.
    return undefined
  }
}

function localeOf(lang: string | undefined): Locale {
  return lang?.startsWith('fr') === true ? 'fr' : defaultLocale
}

async function readTrust(file: string): Promise<Uint8Array | undefined> {
  const bytes = await readFile(file)
  try {
    readPem(bytes)
    return bytes
  } catch {
    return undefined
  }
}

function wordsOf(messages: Messages): Words {
  const format = new Intl.DateTimeFormat(messages.locale === 'fr' ? 'fr-FR' : 'en-GB', {
    dateStyle: 'long',
    timeStyle: 'medium',
    timeZone: 'UTC',
  })
  return {
    // The id is checked at run time: a code that has no words shows as itself, never as an invented sentence.
    format: (id, values) => (messages.has(id) ? messages.format(id, values) : id),
    has: (id) => messages.has(id),
    instant: (iso) => `${format.format(new Date(iso))} UTC`,
  }
}

function describe(report: VerificationReport, words: Words): string {
  const lines: string[] = []
  const marks = (['passed', 'failed', 'indeterminate'] as const).map((status) =>
    words.format(`verification.status.${status}`, {}),
  )
  const width = Math.max(...marks.map((mark) => mark.length))
  const subject = report.subject
  if (subject !== null) {
    lines.push(`${words.format('verification.cli.subject', {})}: ${visible(subject.requested_url)}`)
    lines.push(`${words.format('verification.cli.captured', {})}: ${words.instant(subject.finished_at)}`)
  }
  if (report.root !== null) lines.push(`${words.format('verification.cli.root', {})}: ${report.root}`)
  if (lines.length > 0) lines.push('')
  for (const check of report.checks) lines.push(...checkLines(check, words, width))
  const verdict = describeVerdict(report, words)
  lines.push('', `${report.verdict} — ${verdict.title}`, verdict.sentence)
  const withheld = report.pieces.filter(({ state }) => state === 'withheld').length
  if (report.short) lines.push(words.format('verification.summary.short', { withheld }))
  const sha256 = report.seal?.platform_authority_sha256
  if (sha256 !== null && sha256 !== undefined && report.verdict !== 'TOTAL-FAILED')
    lines.push(words.format(`verification.assumption.${report.trust}`, { sha256 }))
  if (report.seal !== null && report.seal.timestamps.length > 0) lines.push(describeQualified(report, words))
  return `${lines.join('\n')}\n`
}

function checkLines(check: Check, words: Words, width: number): string[] {
  const { title, sentence } = describeCheck(check, words)
  const mark = words.format(`verification.status.${check.status}`, {}).padEnd(width)
  const lines = [`[${mark}] ${title}`, `${' '.repeat(width + 3)}${sentence}`]
  if (check.status !== 'passed' && check.repeat_command !== undefined) {
    lines.push(`${' '.repeat(width + 3)}${words.format('verification.cli.repeat', { command: check.repeat_command })}`)
  }
  return lines
}
