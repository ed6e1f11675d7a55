/** What the verifier is made of, as the bundler knows it. */
import { createHash } from 'node:crypto'

export type BuiltChunk = {
  readonly fileName: string
  readonly source: string | null
  readonly isEntry: boolean
  readonly imports: readonly string[]
  readonly dynamicImports: readonly string[]
  readonly css: readonly string[]
}

/** Its page, and its words in each language; the rest follows from what they import. */
const roots =
  /\/apps\/web\/pages\/Proofs\.tsx$|\/apps\/web\/catalogues\/(?:en|fr)\/(?:shell|verification)\.ts$|\/ui\/messages\/pages\.(?:en|fr)\.json$/
/** Workers are built apart: nobody imports them. */
const workers = /^assets\/(?:verify|hash)\.worker-[^/]+\.js$/

/** @returns a version that changes with any of them, and their names */
export function offlineFiles(chunks: readonly BuiltChunk[], assets: readonly string[]): { version: string; files: string[] } {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const files = new Set(assets.filter((name) => workers.test(name)))
  const take = (fileName: string, lazily: boolean): void => {
    const chunk = byName.get(fileName)
    if (chunk === undefined || files.has(fileName)) return
    files.add(fileName)
    for (const sheet of chunk.css) files.add(sheet)
    for (const each of chunk.imports) take(each, lazily)
    if (lazily) for (const each of chunk.dynamicImports) take(each, lazily)
  }
  // The application itself leads to every page: of it, only what it begins with.
  for (const { fileName, isEntry } of chunks) if (isEntry) take(fileName, false)
  for (const { fileName, source } of chunks) if (source !== null && roots.test(source)) take(fileName, true)
  const all = [...files].toSorted()
  return { version: createHash('sha256').update(all.join(',')).digest('hex').slice(0, 16), files: all }
}
