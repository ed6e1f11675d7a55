import { readFileSync } from 'node:fs'
import { readTrustedLists } from '../../domain/known/trusted-lists.ts'
import type { TrustedLists } from '../../domain/known/trusted-lists.ts'

const snapshotFile = new URL('../../trusted-lists/snapshot.json', import.meta.url)

/** The snapshot that the product ships, made by `make-snapshot.ts` from lists whose signatures it verified. */
export function shippedLists(): { readonly lists: TrustedLists; readonly text: string } {
  const text = readFileSync(snapshotFile, 'utf8')
  const lists = readTrustedLists(JSON.parse(text))
  if (lists === undefined) throw new Error('the shipped snapshot of the trusted lists is not one')
  return { lists, text }
}
