import { stripColumns } from './encoder-arguments.ts'

/** Of a host's name the end says whose it is (RFC 1034 §3.1): what is too long loses its beginning. */
const hostColumns = 100
const longHost = new RegExp(`^(https?://)[^/?#]*?([^/?#]{${String(hostColumns)}})(?=[/?#]|$)`, 'i')

/**
 * One row of the strip. The text is hostile (an address, a title): what could move, hide or turn other letters is shown as U+FFFD, and what
 * does not fit ends with an ellipsis. Never empty: the encoder refuses an empty file.
 */
export function stripLine(text: string): string {
  const clean = text
    .slice(0, 8 * stripColumns)
    .replace(longHost, (whole, scheme: string, end: string) => (whole === scheme + end ? whole : `${scheme}…${end}`))
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Mn}\p{Me}]/gu, '\uFFFD')
  const letters = Array.from(clean)
  const fitting = letters.length <= stripColumns ? letters : [...letters.slice(0, stripColumns - 1), '…']
  return fitting.length === 0 ? ' ' : fitting.join('')
}
