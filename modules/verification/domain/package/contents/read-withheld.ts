/**
 * What a package says was left out because a secret stands in it (docs/package-format.md, `environment/masking.json`). It counts as a
 * sealed piece alone, and for what was never sealed: a piece that is gone from a package was taken out.
 */
import type { Manifest } from '../../manifest/manifest.ts'
import type { OpenedEntry } from './open-package.ts'

const maskingPath = 'environment/masking.json'
const largest = 16 << 20
const mostWithheld = 1_000

/** SHA-256, lower-case hexadecimal, by path; empty when nothing is said that can be relied upon. */
export async function readWithheld(
  entries: ReadonlyMap<string, OpenedEntry>,
  manifest: Manifest | undefined,
): Promise<ReadonlyMap<string, string>> {
  const entry = entries.get(maskingPath)
  const none = new Map<string, string>()
  const sealed = manifest?.pieces.find(({ path }) => path === maskingPath)
  if (entry === undefined || sealed?.sha256 !== entry.sha256 || entry.size > largest) return none
  let account: unknown
  try {
    account = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await entry.read(0, entry.size)))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return none
    throw error
  }
  if (!isRecord(account) || account['format'] !== 'probant-masking/1') return none
  const list: unknown = account['withheld']
  if (!Array.isArray(list) || list.length > mostWithheld) return none
  const named = new Map<string, string>()
  for (const one of list as readonly unknown[]) {
    if (!isRecord(one)) return none
    const { path, sha256 } = one
    if (typeof path !== 'string' || typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return none
    if (manifest?.pieces.some((piece) => piece.path === path) === false) named.set(path, sha256)
  }
  return named
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
