import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** What no line of a log may hold: a mailbox, what opens an account, an account of a bank, an address that somebody captured. */
const personal: readonly (readonly [string, RegExp])[] = [
  ['a mailbox', /[\w.+-]+@(?!(?:localhost\b|node_modules|[\w-]+\/))[\w-]+(?:\.[\w-]+)+/],
  ['a token', /(?:Bearer |token=|[?&]invitation=)[\w.~-]{20,}/i],
  ['an account of a bank', /\b[A-Z]{2}\d{2}(?: ?\d{4}){3,}/],
  ['an address of a page', /https?:\/\/(?:127\.0\.0\.1|localhost):\d+\/(?:page|banner|steer)\b/],
]

/**
 * Reads a folder of logs whole.
 * @returns for each line that holds such a thing: what, and the line with it taken out
 */
export async function findPersonal(folder: string): Promise<string[]> {
  const found: string[] = []
  for (const name of await readdir(folder)) {
    for await (const line of createInterface({
      input: createReadStream(join(folder, name)),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      for (const [what, pattern] of personal)
        if (pattern.test(line)) found.push(`${name}: ${what}: ${line.replace(pattern, '█').slice(0, 400)}`)
    }
  }
  return found
}
