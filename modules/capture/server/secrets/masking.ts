/**
 * What is masked in the pieces of one session, counted piece by piece and secret by secret, and what had to be left out because it
 * could not be masked (decision 0232). All of it is said in `environment/masking.json`; the secrets themselves are nowhere.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hashFile } from '../../../../platform/files/hash-file.ts'
import type { CapturedFile } from '../../domain/outcome/outcome.ts'
import { createSecretMasker, type SecretMasker, type Tally } from './mask-secrets.ts'

export const maskingPath = 'environment/masking.json'
export const maskingFormat = 'probant-masking/1'

/** What was entered and nobody may read. `also`: further forms of it, which are not told from it. */
export type EnteredSecret = {
  readonly value: string
  readonly also?: readonly string[]
  readonly kind: 'paste' | 'password_field' | 'credentials'
  readonly ms: number
  readonly url: string
}

type Places = readonly { readonly path: string; readonly times: number }[]
export type Withheld = { readonly path: string; readonly sha256: string; readonly bytes: number }

export type Masking = {
  readonly masker: SecretMasker
  /** Counts what is found for that piece. */
  tally(path: string): Tally
  /** Of a text that a piece would have held. */
  count(path: string, text: string): void
  /** Texts within a value that JSON can hold, masked; our own instants, digests and paths as they are. */
  maskValue<T>(value: T, path?: string): T
  /** The beginning of a text for that piece, so many characters, masked as the whole would be. */
  cut(text: string, most: number, path: string): string
  /** Masks a piece in place, by its form; pieces of other forms are left alone. */
  maskFile(file: CapturedFile): Promise<void>
  /** Whether a secret stands in that file as it is. */
  holds(file: string): Promise<boolean>
  /** Leaves a piece out: it is named with its digest, and its file is removed. */
  withhold(file: CapturedFile): Promise<void>
  withheld(): readonly Withheld[]
  /** Says of which connections the TLS keys are a piece and of which they are not. */
  keysLeftOut(keys: { readonly kept: readonly string[]; readonly leftOut: readonly string[] }): void
  /** How many; null: keys were not asked for. */
  tlsKeys(): { readonly kept: number; readonly left_out: number } | null
  /** Secrets in their order, with the pieces in which each was replaced. */
  maskedIn(): readonly Places[]
  /** Looks through what must stay as it was dated, and writes the account of everything. */
  write(file: string, unalterable: readonly CapturedFile[]): Promise<CapturedFile>
}

export function createMasking(secrets: readonly EnteredSecret[]): Masking {
  const masker = createSecretMasker(secrets.map(({ value, also = [] }) => [value, ...also]))
  const counts = secrets.map(() => new Map<string, number>())
  const withheld: Withheld[] = []
  let keys: { readonly kept: readonly string[]; readonly leftOut: readonly string[] } | null = null
  const tally: Masking['tally'] = (path) => (secret) => {
    const own = counts[secret]
    own?.set(path, (own.get(path) ?? 0) + 1)
  }
  const maskText = (text: string, path: string | undefined): string =>
    text === '' || ours.test(text) ? text : masker.maskText(text, path === undefined ? undefined : tally(path)).text

  const maskValue = <T>(value: T, path?: string): T => {
    const masked = (one: unknown): unknown => {
      if (typeof one === 'string') return maskText(one, path)
      if (typeof one !== 'object' || one === null) return one
      if (Array.isArray(one)) return one.map(masked)
      return Object.fromEntries(Object.entries(one).map(([name, each]) => [masker.maskText(name).text, masked(each)]))
    }
    return masked(value) as T
  }
  const places = (of: ReadonlyMap<string, number>): Places =>
    [...of].map(([path, times]) => ({ path, times })).toSorted((a, b) => (a.path < b.path ? -1 : 1))

  return {
    masker,
    tally,
    count: (path, text) => void masker.maskText(text, tally(path)),
    maskValue,
    cut: (text, most, path) => masker.cutText(text, most, tally(path)),
    maskFile: async ({ path, media_type, file }) => {
      if (/^application\/json\b/.test(media_type)) {
        const value: unknown = JSON.parse(await readFile(file, 'utf8'))
        return await writeFile(file, `${JSON.stringify(maskValue(value, path), null, 1)}\n`)
      }
      if (/^application\/x-ndjson\b/.test(media_type)) {
        const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
        return await writeFile(file, lines.map((line) => `${JSON.stringify(maskValue(JSON.parse(line), path))}\n`).join(''))
      }
      if (!/^(?:text\/|multipart\/related\b)/.test(media_type)) return
      const masked = `${file}.masked`
      const parts = masker.maskStream(createReadStream(file), () => undefined, tally(path))
      await pipeline(Readable.from(parts), createWriteStream(masked, { flags: 'wx', mode: 0o600 }))
      await rename(masked, file)
    },
    holds: async (file) => (await placesIn(masker, file, () => undefined)) > 0,
    withhold: async ({ path, file }) => {
      withheld.push({ path, sha256: await hashFile(file), bytes: (await stat(file)).size })
      await rm(file)
    },
    withheld: () => withheld,
    keysLeftOut: (given) => {
      keys = given
    },
    tlsKeys: () => (keys === null ? null : { kept: keys.kept.length, left_out: keys.leftOut.length }),
    maskedIn: () => counts.map(places),
    write: async (file, unalterable) => {
      const left = secrets.map(() => new Map<string, number>())
      for (const { path, file: own } of unalterable)
        await placesIn(masker, own, (secret) => void left[secret]?.set(path, (left[secret].get(path) ?? 0) + 1))
      const account = {
        format: maskingFormat,
        secrets: secrets.map(({ value, kind, ms, url }, i) => ({
          ms,
          kind,
          url: masker.maskText(url).text,
          octets: Buffer.byteLength(value),
          searched: createSecretMasker([value]).secrets > 0,
          // The salt is kept nowhere: it tells secrets apart, and gives nobody anything to try guesses against.
          commitment: createHash('sha256').update(randomBytes(32)).update(value).digest('hex'),
          masked_in: places(counts[i] ?? new Map()),
          left_in: places(left[i] ?? new Map()),
        })),
        withheld,
        ...(keys === null ? {} : { tls_keys: { kept: keys.kept, left_out: keys.leftOut } }),
      }
      await writeFile(file, `${JSON.stringify(account, null, 1)}\n`)
      return { path: maskingPath, role: 'environment', media_type: 'application/json', file }
    },
  }
}

/** Instants, digests and places of pieces are no words of anybody's: a secret of four digits may look like a part of one. */
const ours = /^(?:\d{4}-\d\d-\d\dT[\d:.]+Z|(?:sha256:)?[0-9a-f]{64}|(?:capture|environment)\/[A-Za-z0-9._/-]+)$/

async function placesIn(masker: SecretMasker, file: string, tally: Tally): Promise<number> {
  let times = 0
  for await (const _part of masker.maskStream(createReadStream(file), (count) => (times = count), tally));
  return times
}
