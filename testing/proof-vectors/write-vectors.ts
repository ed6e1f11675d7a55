import { mkdir, rm, writeFile } from 'node:fs/promises'
import type { ProofKind } from '../../modules/verification/domain/report/proof-report.ts'
import { folderOf } from './gallery.ts'
import { pem } from './issue.ts'
import type { Issued } from './issue.ts'

/** A file that is right, or wrong in one way, and what must be found in it. */
export type Vector = {
  /** Several rows may be of one file. */
  readonly file: string
  readonly bytes: Uint8Array
  /** By check: the reason, and `failed`, `indeterminate` or `noted` (without weight). Nothing else may be said but what `usual` says. */
  readonly finds: Readonly<Record<string, `${'failed' | 'indeterminate' | 'noted'} ${string}`>>
  /** Name of a PEM file without its ending; empty: no roots. */
  readonly roots?: string
  /** Nothing can be said of the rest. */
  readonly unusable?: true
}

/** Writes `<kind>/vectors.json`, the files it speaks of, the roots and what was signed. What was there before is gone. */
export async function writeVectors(
  kind: ProofKind,
  {
    vectors,
    roots,
    files,
  }: {
    readonly vectors: readonly Vector[]
    readonly roots: Readonly<Record<string, Issued>>
    readonly files: Readonly<Record<string, Uint8Array>>
  },
): Promise<void> {
  const folder = folderOf(kind)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const written = new Map(Object.entries(files))
  for (const [name, { der }] of Object.entries(roots)) written.set(`${name}.pem`, pem('CERTIFICATE', der))
  for (const { file, bytes } of vectors) if (!written.has(file)) written.set(file, bytes)
  for (const [file, bytes] of written) await writeFile(new URL(file, folder), bytes)
  const table = JSON.stringify(vectors, (key, value: unknown) => (key === 'bytes' ? undefined : value), 2)
  await writeFile(new URL('vectors.json', folder), `${table}\n`)
}
