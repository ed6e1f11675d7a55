import { readFile, stat } from 'node:fs/promises'
import type { CaptureFacts, ImagesCompared, SeenFromVantage } from '../../../capture/server/index.ts'
import { readPngRows, readPngSize } from '../../../../platform/pictures/read-png-rows.ts'

/** Local copies of the pieces of one capture that are compared; null where it has none. */
export type VantagePieces = {
  readonly sourceSha256: string | null
  readonly dom: string | null
  readonly har: string | null
  /** Of the whole page, top to bottom. */
  readonly images: readonly string[]
}

/** Longer documents and logs are not compared: what is read here is held in memory. */
const mostBytes = 32 * 1024 * 1024
const mostWords = 1_000_000

async function textOf(file: string | null): Promise<string | null> {
  if (file === null || (await stat(file)).size > mostBytes) return null
  return await readFile(file, 'utf8')
}

const unseen = /^<(script|style|template|noscript)[\s>]/
const longestName = 16

/**
 * Text between the tags of a document as the browser serialises it (element names in lower case, comments closed), without scripts,
 * styles and what is only there without scripts. One pass: hostile text costs no more than other text.
 */
export function wordsOf(html: string): readonly string[] {
  const words: string[] = []
  let at = 0
  while (at < html.length && words.length < mostWords) {
    const tag = html.indexOf('<', at)
    const end = tag === -1 ? html.length : tag
    for (const [word] of html.slice(at, end).matchAll(/\S+/gu)) {
      if (words.length === mostWords) break
      words.push(word)
    }
    if (tag === -1) break
    const name = unseen.exec(html.slice(tag, tag + longestName))?.[1]
    const closing = html.startsWith('<!--', tag) ? '-->' : name === undefined ? '>' : `</${name}>`
    const close = html.indexOf(closing, tag)
    at = close === -1 ? html.length : close + closing.length
  }
  return words
}

function addressesOf(har: string): readonly string[] | null {
  try {
    const { log } = JSON.parse(har) as { log: { entries: { request: { url: string } }[] } }
    return log.entries.map(({ request }) => request.url)
  } catch {
    return null
  }
}

export async function readSeen(facts: CaptureFacts, pieces: VantagePieces): Promise<SeenFromVantage> {
  const [dom, har] = [await textOf(pieces.dom), await textOf(pieces.har)]
  return {
    finalUrl: facts.final_url,
    httpStatus: facts.http_status,
    documentSha256: pieces.sourceSha256,
    words: dom === null ? null : wordsOf(dom),
    certificateSha256:
      facts.certificate?.sha256 ??
      (URL.canParse(facts.final_url) && new URL(facts.final_url).protocol === 'http:' ? 'none' : null),
    serverAddress: facts.server_address,
    resources: har === null ? null : addressesOf(har),
  }
}

/** Channels of two pixels may differ by so much and still be the same to the eye: edges of letters, gradients. */
const tolerance = 16

/**
 * Pixels that agree, of all pixels that either image shows; row by row, in memory that does not grow with the height.
 * Null when one of them has none or cannot be read.
 */
export async function compareImages(
  first: readonly string[],
  second: readonly string[],
  signal: AbortSignal,
): Promise<ImagesCompared | null> {
  if (first.length === 0 || second.length === 0) return null
  const [one, other] = [await sizeOf(first), await sizeOf(second)]
  const rows = [rowsOf(first), rowsOf(second)] as const
  let [same, all] = [0, 0]
  try {
    for (;;) {
      signal.throwIfAborted()
      const [left, right] = await Promise.all([rows[0].next(), rows[1].next()])
      if (left.done === true && right.done === true) break
      const [a, b] = [left.done === true ? null : left.value, right.done === true ? null : right.value]
      all += Math.max(a?.length ?? 0, b?.length ?? 0) / 3
      if (a !== null && b !== null) same += agreeing(a, b)
    }
  } finally {
    await Promise.all(rows.map(async (each) => await each.return(undefined)))
  }
  return { share: all === 0 ? 0 : same / all, first: one, second: other }
}

function agreeing(a: Buffer, b: Buffer): number {
  const length = Math.min(a.length, b.length)
  if (a.length === b.length && a.equals(b)) return length / 3
  let same = 0
  for (let at = 0; at + 2 < length; at += 3) {
    if (
      Math.abs((a[at] ?? 0) - (b[at] ?? 0)) <= tolerance &&
      Math.abs((a[at + 1] ?? 0) - (b[at + 1] ?? 0)) <= tolerance &&
      Math.abs((a[at + 2] ?? 0) - (b[at + 2] ?? 0)) <= tolerance
    )
      same += 1
  }
  return same
}

async function* rowsOf(files: readonly string[]): AsyncGenerator<Buffer> {
  for (const file of files) yield* readPngRows(file)
}

async function sizeOf(files: readonly string[]): Promise<string> {
  const sizes = await Promise.all(files.map(readPngSize))
  return `${String(sizes[0]?.width ?? 0)} × ${String(sizes.reduce((sum, { height }) => sum + height, 0))}`
}
