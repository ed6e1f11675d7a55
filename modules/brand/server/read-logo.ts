import { open } from 'node:fs/promises'
import { PNG } from 'pngjs'
import { LogoRefused, sanitiseSvg } from './sanitise-svg.ts'

export type Logo = { readonly type: 'image/svg+xml' | 'image/png'; readonly bytes: Buffer }

const largestLogo = 128 * 1024
const largestSide = 2000
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A file of the operator's, when it is not too long. @throws LogoRefused */
async function readBounded(file: string): Promise<Buffer> {
  const handle = await open(file).catch((error: unknown) => {
    throw new LogoRefused(`cannot be read: ${(error as NodeJS.ErrnoException).code ?? ''}`)
  })
  try {
    const { size } = await handle.stat()
    if (size > largestLogo) throw new LogoRefused(`is longer than ${String(largestLogo)} bytes`)
    const bytes = await handle.readFile()
    // A pipe or a device says nothing of its length.
    if (bytes.length > largestLogo) throw new LogoRefused(`is longer than ${String(largestLogo)} bytes`)
    return bytes
  } finally {
    await handle.close()
  }
}

/** Made anew of its pixels: nothing of the file but the picture is served. */
function readPng(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, 8).equals(pngSignature) || bytes.length < 33) throw new LogoRefused('is no PNG')
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  if (width < 1 || height < 1 || width > largestSide || height > largestSide)
    throw new LogoRefused(`is ${String(width)} by ${String(height)} pixels, at most ${String(largestSide)} each are taken`)
  try {
    const { data } = PNG.sync.read(bytes)
    const picture = new PNG({ width, height })
    data.copy(picture.data)
    return PNG.sync.write(picture)
  } catch {
    throw new LogoRefused('is a damaged PNG')
  }
}

/** By its content, which has to be what its name says. @throws LogoRefused */
export async function readLogo(file: string): Promise<Logo> {
  const bytes = await readBounded(file)
  return file.endsWith('.png')
    ? { type: 'image/png', bytes: readPng(bytes) }
    : { type: 'image/svg+xml', bytes: Buffer.from(sanitiseSvg(bytes)) }
}
