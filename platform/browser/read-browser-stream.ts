import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { CdpSession } from './cdp-connection.ts'

/** Copies a stream handle of the browser to a file, a piece at a time. Returns its length. */
export async function readBrowserStream(page: CdpSession, handle: string, file: string): Promise<number> {
  const out = createWriteStream(file)
  const written = finished(out)
  // A file that cannot be written is told when it is waited for, and not to nobody.
  written.catch(() => undefined)
  let bytes = 0
  try {
    for (;;) {
      const part = await page.send('IO.read', { handle, size: 1024 * 1024 }, { timeoutMs: 60_000 })
      const data = Buffer.from(part.data, part.base64Encoded === true ? 'base64' : 'utf8')
      bytes += data.length
      if (!out.write(data)) await Promise.race([once(out, 'drain'), written])
      if (part.eof) break
    }
  } finally {
    await page.send('IO.close', { handle }).catch(() => undefined)
    out.end()
  }
  await written
  return bytes
}
