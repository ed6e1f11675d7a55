/** `probant verify FILE|FOLDER …`: every check of everything given, in plain words or as JSON. */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Locale, defaultLocale, isLocale } from '../../kernel/locale.ts'
import {
  type PlatformKeys,
  type ReaderFields,
  type WrittenHeader,
  VerificationStopped,
  givenHeaders,
  hostSha256,
  nodeHashes,
  openDossierFiles,
  platformKeysOf,
  readHeaders,
  readPem,
  readFingerprints,
  readPublishedKeys,
  shippedLists,
  verifyDossier,
  visible,
} from '../../modules/verification/server/index.ts'
import { createMessages } from '../../platform/messages/messages.ts'
import { describeDossier } from './describe-dossier.ts'
import { wordsOf } from './verify-words.ts'
import { writeMinutes } from './write-minutes.ts'

export type VerifyIo = {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/** @returns that of the conclusion: 0 green, 1 contradicted, 2 something is missing, 3 no proof; 3 also when it is used wrongly. */
export async function runVerifyCommand(argv: readonly string[], io: VerifyIo): Promise<number> {
  const options = readOptions(argv)
  const locale = options?.locale ?? localeOf(io.env['LANG'])
  const messages = createMessages(locale)
  const words = wordsOf(messages)
  const failed = (id: string, values: Record<string, string>): number => {
    io.stderr.write(`${words.format(`verification.cli.${id}`, values)}\n`)
    return 3
  }
  if (options === undefined) return failed('usage', {})
  const { paths, trustFile, keysFile, json, fields, fingerprints } = options
  if (fingerprints === undefined) return failed('bad_fingerprint', {})
  let trust: Uint8Array | undefined
  let keys: PlatformKeys | undefined
  let headers: readonly WrittenHeader[] = []
  let opened: Awaited<ReturnType<typeof openDossierFiles>>
  let path = ''
  try {
    if (trustFile !== undefined) trust = await readTrust((path = trustFile))
    if (trustFile !== undefined && trust === undefined) return failed('bad_trust', { path: visible(trustFile) })
    if (keysFile !== undefined) keys = await readKeys((path = keysFile))
    if (keysFile !== undefined && keys === undefined) return failed('bad_keys', { path: visible(keysFile) })
    for (const given of options.headers) {
      const read = readHeaders(given) ?? readHeaders(await readFile((path = given), 'utf8'))
      if (read === undefined) return failed('bad_header', { path: visible(given) })
      headers = [...headers, ...read]
    }
    path = paths.join(', ')
    opened = await openDossierFiles(paths)
  } catch (error) {
    return failed('cannot_open', { path: visible(path), reason: error instanceof Error ? visible(error.message) : '' })
  }
  try {
    const dossier = await verifyDossier(opened.files, {
      now: () => new Date(),
      sha256: hostSha256,
      hashes: nodeHashes,
      signal: io.signal,
      trustedLists: shippedLists().lists,
      fields,
      fingerprints,
      headers: givenHeaders(headers),
      ...(trust === undefined ? {} : { trust }),
      ...(keys === undefined ? {} : { keys }),
    })
    const [only] = dossier.items
    const alone = dossier.items.length === 1 && dossier.many === null
    const report = alone && only !== undefined && 'report' in only.result ? only.result.report : undefined
    const { conclusion, verdict } = dossier
    const told = report === undefined ? dossier : { ...report, verdict, conclusion }
    io.stdout.write(json ? `${JSON.stringify(told, null, 2)}\n` : describeDossier(dossier, words))
    if (options.minutes !== undefined) {
      try {
        await writeMinutes(dossier, words, { file: options.minutes, locale, signal: io.signal })
      } catch (error) {
        const reason = error instanceof Error ? visible(error.message) : ''
        return failed('cannot_write', { path: visible(options.minutes), reason })
      }
    }
    return conclusion.exit_code
  } catch (error) {
    if (error instanceof VerificationStopped) return failed('stopped', {})
    throw error
  } finally {
    await opened.close()
  }
}

type Options = {
  paths: readonly string[]
  locale: Locale | undefined
  json: boolean
  trustFile: string | undefined
  keysFile: string | undefined
  headers: readonly string[]
  /** Where minutes are written. */
  minutes: string | undefined
  /** Absent when what was given is none. */
  fingerprints: readonly string[] | undefined
  fields: ReaderFields
}

function readOptions(argv: readonly string[]): Options | undefined {
  try {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        lang: text,
        json: { type: 'boolean' },
        trust: text,
        fingerprint: { type: 'string', multiple: true },
        keys: text,
        header: { type: 'string', multiple: true },
        minutes: text,
        digest: text,
        address: text,
        account: text,
      },
    })
    if (positionals.length === 0 || (values.lang !== undefined && !isLocale(values.lang))) return undefined
    const { digest, address, account } = values
    return {
      paths: positionals,
      locale: isLocale(values.lang) ? values.lang : undefined,
      json: values.json === true,
      trustFile: values.trust,
      keysFile: values.keys,
      headers: values.header ?? [],
      minutes: values.minutes,
      fingerprints: values.fingerprint === undefined ? [] : readFingerprints(values.fingerprint.join('\n')),
      fields: {
        ...(digest === undefined ? {} : { digest }),
        ...(address === undefined ? {} : { address }),
        ...(account === undefined ? {} : { account }),
      },
    }
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

/** The document that a platform publishes at /.well-known/probant-keys.json; undefined when it is none. */
async function readKeys(file: string): Promise<PlatformKeys | undefined> {
  const bytes = await readFile(file)
  try {
    return platformKeysOf(readPublishedKeys(bytes))
  } catch {
    return undefined
  }
}
