import { liveFrame, type LiveInputSent } from '../../contract/live.ts'
import { uploadChunk } from '../picture/codec.ts'

type Line = {
  readonly send: (message: LiveInputSent) => boolean
  readonly sendBytes: (bytes: Uint8Array<ArrayBuffer>) => boolean
  readonly waiting: () => number
}

const pieceBytes = 64 * 1024
/** No more than this waits to leave, so that gestures get through between the pieces. */
const mostWaiting = 256 * 1024

const nextFrame = () => new Promise<void>((resolve) => setTimeout(resolve, 20))

/** Files that the page asked for, piece by piece. @returns whether all of it left over the same connection */
export async function sendFiles(line: Line, id: number, files: readonly File[]): Promise<boolean> {
  if (!line.send({ type: 'upload', id, files: files.map(({ name, size }) => ({ name: name.slice(0, 255), bytes: size })) }))
    return false
  for (const [index, file] of files.entries()) {
    for (let at = 0; at < file.size; at += pieceBytes) {
      const bytes = new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer())
      while (line.waiting() > mostWaiting) await nextFrame()
      if (!line.sendBytes(uploadChunk(liveFrame.upload, id, index, bytes))) return false
    }
  }
  return true
}
