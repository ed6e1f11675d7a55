import { concatBytes } from '../../../../kernel/bytes.ts'
import { tileWidth } from './tree.ts'

/** Addresses and contents of C2SP tlog-tiles, below the prefix of the log. */
export type TilePath = {
  /** `entries`: a bundle of entries, as wide as the tile of level 0 at the same number. */
  readonly level: number | 'entries'
  readonly number: number
  /** 256 when it is whole. */
  readonly width: number
}

/** `tile/<L>/<N>[.p/<W>]`. */
export function formatTilePath({ level, number, width }: TilePath): string {
  const digits = String(number).padStart(Math.ceil(String(number).length / 3) * 3, '0')
  const groups = digits.match(/\d{3}/g) ?? []
  const path = groups.map((group, i) => (i === groups.length - 1 ? group : `x${group}`)).join('/')
  return `tile/${level}/${path}${width === tileWidth ? '' : `.p/${width}`}`
}

/** The one spelling of each, or null. */
export function parseTilePath(path: string): TilePath | null {
  const match = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path)
  if (match === null) return null
  const [, level = '', digits = '', width] = match
  const found: TilePath = {
    level: level === 'entries' ? level : Number(level),
    number: Number(digits.replaceAll(/[x/]/g, '')),
    width: width === undefined ? tileWidth : Number(width),
  }
  if (!Number.isSafeInteger(found.number) || (found.level !== 'entries' && found.level > 63)) return null
  return formatTilePath(found) === path && found.width >= 1 && found.width <= tileWidth ? found : null
}

/** Each entry behind its length in two octets, the higher first. @throws RangeError for an entry over 65,535 octets */
export function formatEntryBundle(entries: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return concatBytes(
    ...entries.flatMap((entry) => {
      if (entry.length > 0xffff) throw new RangeError('an entry of a bundle has at most 65,535 octets')
      return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry]
    }),
  )
}

/** @returns null when the octets do not end where an entry ends, or there are more than a tile holds */
export function parseEntryBundle(bytes: Uint8Array): Uint8Array[] | null {
  const entries: Uint8Array[] = []
  for (let at = 0; at < bytes.length;) {
    const length = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
    const end = at + 2 + length
    if (end > bytes.length || entries.length === tileWidth) return null
    entries.push(bytes.subarray(at + 2, end))
    at = end
  }
  return entries
}
