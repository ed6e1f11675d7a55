/**
 * What is on disk of a recording that runs: `samples` (the bytes of every sample, one after the other, as the MP4 file will
 * have them), `index` (one record of 56 octets a sample, written after its bytes) and `configs` (a line for each decoder
 * configuration). Whatever ends the process, everything up to the last record can be made into a file.
 */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

export const recordingFiles = (folder: string): { samples: string; index: string; configs: string } => ({
  samples: join(folder, 'samples'),
  index: join(folder, 'index'),
  configs: join(folder, 'configs'),
})

/** `time` and `duration` in units of the track: microseconds, or 48,000ths of a second for sound. */
export type IndexedSample = {
  readonly kind: 'video' | 'audio'
  readonly key: boolean
  /** Which line of `configs` it is decoded with, from 0. */
  readonly config: number
  readonly size: number
  readonly time: number
  readonly duration: number
  readonly sha256: Buffer
}

/** What a decoder needs before the first sample: contents of the boxes `avcC` and `dOps`, as they stand in an MP4 file. */
export type RecordedConfig = {
  readonly codec: string
  readonly width: number
  readonly height: number
  readonly avcC: Buffer
  readonly dOps: Buffer | null
}

const recordBytes = 56

export function writeIndexRecord(sample: IndexedSample): Buffer {
  const record = Buffer.alloc(recordBytes)
  record.writeUInt8(sample.kind === 'video' ? 1 : 2, 0)
  record.writeUInt8(sample.key ? 1 : 0, 1)
  record.writeUInt16BE(sample.config, 2)
  record.writeUInt32BE(sample.size, 4)
  record.writeBigUInt64BE(BigInt(sample.time), 8)
  record.writeUInt32BE(sample.duration, 16)
  sample.sha256.copy(record, 24)
  return record
}

function readIndexRecord(record: Buffer): IndexedSample {
  return {
    kind: record.readUInt8(0) === 1 ? 'video' : 'audio',
    key: record.readUInt8(1) === 1,
    config: record.readUInt16BE(2),
    size: record.readUInt32BE(4),
    time: Number(record.readBigUInt64BE(8)),
    duration: record.readUInt32BE(16),
    sha256: record.subarray(24, 56),
  }
}

export type RecordingIndex = {
  readonly configs: readonly RecordedConfig[]
  readonly samples: readonly IndexedSample[]
  /** Octets of all of them. */
  readonly bytes: number
}

/** Every sample whose bytes are all on disk; a record that was being written when the process ended is none. */
export async function readRecordingIndex(folder: string): Promise<RecordingIndex> {
  const files = recordingFiles(folder)
  const [index, configs, { size }] = await Promise.all([
    readFile(files.index),
    readFile(files.configs, 'utf8'),
    stat(files.samples),
  ])
  const samples: IndexedSample[] = []
  let bytes = 0
  for (let at = 0; at + recordBytes <= index.length; at += recordBytes) {
    const sample = readIndexRecord(index.subarray(at, at + recordBytes))
    if (bytes + sample.size > size) break
    bytes += sample.size
    samples.push(sample)
  }
  return { configs: readConfigs(configs), samples, bytes }
}

export function writeConfigLine({ codec, width, height, avcC, dOps }: RecordedConfig): string {
  return `${JSON.stringify([codec, width, height, avcC.toString('base64'), dOps?.toString('base64') ?? null])}\n`
}

function readConfigs(text: string): RecordedConfig[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [codec, width, height, avcC, dOps] = JSON.parse(line) as [string, number, number, string, string | null]
      return { codec, width, height, avcC: Buffer.from(avcC, 'base64'), dOps: dOps === null ? null : Buffer.from(dOps, 'base64') }
    })
}
