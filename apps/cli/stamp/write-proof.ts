import { randomUUID } from 'node:crypto'
import { link, lstat, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ProofKind } from './journal-lines.ts'

export const endings: Readonly<Record<ProofKind, string>> = {
  tsr: '.tsr',
  ers: '.ers',
  ots: '.ots',
  chainpoint: '.chainpoint.json',
}

/** What is being written; a watched folder takes no notice of it. */
const partialName = /^\.probant-[0-9a-f-]{36}\.part$/

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/**
 * Where the proofs of one content of a file go: beside its name, or, where something of that name is there already (the proofs of an
 * earlier content, above all), with the first digits of the fingerprint. Nothing that is there is ever overwritten.
 * @param base path of the file, or where `--out` puts it
 */
export async function chooseStem(base: string, sha256: string, taken: { has(stem: string): boolean }): Promise<string> {
  for (const stem of [base, `${base}.${sha256.slice(0, 8)}`, `${base}.${sha256}`]) {
    if (taken.has(stem)) continue
    const there = await Promise.all(Object.values(endings).map(async (ending) => await isThere(`${stem}${ending}`)))
    if (!there.includes(true)) return stem
  }
  return `${base}.${sha256}.${randomUUID()}`
}

const largestProof = 32 * 1024 * 1024

/**
 * Whole or not at all, and on the disk. What a program that was cut off has written there stays.
 * @param options.isThatProof whether what is there is such a proof already
 * @param options.makeFolder beside a file it is there, or the file is gone, of a network say: then nothing is put in its place
 * @returns where. @throws errors of the file system, `EEXIST` when something else is there
 */
export async function writeProof(
  stem: string,
  kind: ProofKind,
  bytes: Uint8Array,
  options: { readonly isThatProof: (there: Uint8Array) => Promise<boolean>; readonly makeFolder: boolean },
): Promise<string> {
  const path = `${stem}${endings[kind]}`
  if (options.makeFolder) await mkdir(dirname(path), { recursive: true })
  const partial = join(dirname(path), `.probant-${randomUUID()}.part`)
  try {
    await using file = await open(partial, 'wx', 0o644)
    await file.writeFile(bytes)
    await file.sync()
    await link(partial, path)
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && (await lstat(path)).size <= largestProof
    if (!isThere || !(await options.isThatProof(await readFile(path)))) throw error
  } finally {
    await unlink(partial).catch(() => undefined)
  }
  return path
}

/** Of a path of a watched folder that is a proof that was written there: its stem; empty for one that is being written, null for others. */
export function ownOutput(path: string, stems: ReadonlySet<string>): string | null {
  if (partialName.test(basename(path))) return ''
  const ending = Object.values(endings).find((each) => path.endsWith(each) && stems.has(path.slice(0, -each.length)))
  return ending === undefined ? null : path.slice(0, -ending.length)
}
