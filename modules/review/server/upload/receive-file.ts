import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/**
 * Keeps what arrives in a file that has no name: whatever ends this process, the system takes the file back, and nobody else can open it meanwhile.
 * The caller closes it. @throws what the stream fails with; then nothing is left either
 */
export async function receiveFile(folder: string, bytes: Readable): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx+', 0o600)
  try {
    await rm(path)
    for await (const chunk of bytes as AsyncIterable<Buffer>) await file.writeFile(chunk)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** @param most more is never in it: the stream that filled it was bounded */
export async function readWhole(file: FileHandle, most: number): Promise<Buffer> {
  const { size } = await file.stat()
  if (size > most) throw new RangeError(`a file of ${size} bytes was taken, more than ${most}`)
  const whole = Buffer.alloc(size)
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(whole, at, size - at, at)
    if (bytesRead === 0) throw new Error('a file that was received is shorter than it was')
    at += bytesRead
  }
  return whole
}
