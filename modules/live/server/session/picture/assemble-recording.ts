/** Makes `session.mp4` of what stands on disk: at the end of a session, or after whatever ended it. */
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { mp4Head } from './write-mp4.ts'
import { readRecordingIndex, recordingFiles, type RecordingIndex } from './sample-index.ts'

/** @returns what is in the file; null when not one picture was recorded. The samples on disk stay. */
export async function assembleRecording(folder: string, outFile: string, signal?: AbortSignal): Promise<RecordingIndex | null> {
  const index = await readRecordingIndex(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (index === null || !index.samples.some(({ kind }) => kind === 'video')) return null
  try {
    await writeFile(outFile, mp4Head(index), { flag: 'wx' })
    const from = createReadStream(recordingFiles(folder).samples, { start: 0, end: index.bytes - 1, highWaterMark: 1 << 20 })
    await pipeline(from, createWriteStream(outFile, { flags: 'a', flush: true }), signal === undefined ? {} : { signal })
  } catch (error) {
    await rm(outFile, { force: true })
    throw error
  }
  return index
}
