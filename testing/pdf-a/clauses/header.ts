import { latin } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { Finding } from '../read/archive.ts'

/** §6.1.2: `%PDF-1.n` at the first octet, a line end, and a comment of four octets above 127. */
export function header(bytes: Uint8Array): Finding[] {
  const text = latin(bytes.subarray(0, 16))
  const line = /^%PDF-1\.[0-7](?:\r\n|\n|\r)/.exec(text)?.[0]
  const finding = (words: string): Finding[] => [{ clause: '6.1.2', object: 'header', words }]
  if (line === undefined) return finding('the file does not start with %PDF-1.n and one line end')
  const comment = bytes.subarray(line.length, line.length + 5)
  if (comment[0] !== 0x25 || comment.length < 5 || comment.subarray(1).some((octet) => octet < 128))
    return finding('no comment of four octets above 127 follows the first line')
  return []
}
