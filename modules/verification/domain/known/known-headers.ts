import { fromHex } from '../../../../kernel/bytes.ts'
import type { HeaderSource, KnownHeader } from './verify-deps.ts'

/** Headers as a reader writes them, one a line: `840000:` and 160 hexadecimal digits, or the digits alone for the height asked for. */
export type WrittenHeader = { readonly height: number | null; readonly header: Uint8Array }

export const mostHeaders = 64

/** @returns undefined when a line is not a header: nothing is guessed. */
export function readHeaders(text: string): WrittenHeader[] | undefined {
  const lines = text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.length > mostHeaders) return undefined
  const out: WrittenHeader[] = []
  for (const line of lines) {
    const match = /^(?:(\d{1,9})\s*[:=\s]\s*)?([0-9a-fA-F]{160})$/.exec(line)
    if (match?.[2] === undefined) return undefined
    out.push({ height: match[1] === undefined ? null : Number(match[1]), header: fromHex(match[2]) })
  }
  return out
}

/** The reader's headers, as `given`; `asked` is told each height that a proof needs. */
export function givenHeaders(written: readonly WrittenHeader[], asked: (height: number) => void = () => undefined): HeaderSource {
  return (height) => {
    asked(height)
    const known = written.filter((each) => each.height === height || each.height === null)
    return Promise.resolve(known.map(({ header }): KnownHeader => ({ height, header, source: 'given' })))
  }
}
