/** Pictures and sound as the encoder of a session gives them, made by ffmpeg and taken apart by ffprobe: nothing of ours. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { EncoderSink, MediaConfig, MediaSample, RecordedDisplay } from '../../../../../platform/display/recorded-display.ts'

const run = promisify(execFile)

type Packet = { codec_type: 'video' | 'audio'; pts_time: string; duration_time: string; size: string; pos: string; flags: string }

export type Encoded = { readonly config: MediaConfig; readonly samples: readonly MediaSample[] }

/** A moving picture of 320×200 at 25 a second, key pictures every `group`, and a tone; both begin at 0. */
export async function encodePictures(
  folder: string,
  {
    seconds,
    group = 25,
    sound = true,
    size = '320x200',
    source = 'testsrc',
  }: {
    seconds: number
    group?: number
    sound?: boolean
    size?: string
    source?: string
  },
): Promise<Encoded> {
  const name = join(folder, `${seconds}-${group}-${size}-${source}`)
  const drawn = `-f lavfi -i ${source}=size=${size}:rate=25 -t ${seconds} -c:v libx264 -preset veryfast -tune zerolatency -bf 0`
  const video = await packetsOf(`${name}-video.mp4`, `${drawn} -g ${group} -pix_fmt yuv420p`.split(' '))
  const tone = [
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440:sample_rate=48000',
    '-t',
    String(seconds),
    '-c:a',
    'libopus',
    '-b:a',
    '64k',
  ]
  const audio = sound ? await packetsOf(`${name}-audio.mp4`, [...tone, '-use_editlist', '0']) : null
  const [width, height] = size.split('x').map(Number)
  const dOps = audio === null ? null : boxOf(audio.bytes, 'dOps')
  const head = dOps === null ? null : Buffer.concat([
    Buffer.from('OpusHead\x01', 'latin1'), dOps.subarray(1, 2), Buffer.from(dOps.subarray(2, 4)).swap16(),
    Buffer.from(dOps.subarray(4, 8)).swap32(), Buffer.from(dOps.subarray(8, 10)).swap16(), dOps.subarray(10, 11),
  ]) // prettier-ignore
  const config = {
    video: boxOf(video.bytes, 'avcC'),
    codec: 'avc1.64000d',
    width: width ?? 0,
    height: height ?? 0,
    audio: head,
    originMs: 0,
  }
  // Pictures first where both begin: sound from before the first picture has no place.
  return { config, samples: [...video.samples, ...(audio?.samples ?? [])].toSorted((a, b) => a.timeUs - b.timeUs) }
}

async function packetsOf(file: string, encode: readonly string[]): Promise<{ bytes: Buffer; samples: MediaSample[] }> {
  await run('ffmpeg', ['-v', 'error', '-y', ...encode, file])
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_packets', '-of', 'json', file], { maxBuffer: 64 << 20 })
  const bytes = await readFile(file)
  const samples = (JSON.parse(stdout) as { packets: Packet[] }).packets.map(
    ({ codec_type, pts_time, duration_time, size, pos, flags }): MediaSample => ({
      kind: codec_type,
      bytes: bytes.subarray(Number(pos), Number(pos) + Number(size)),
      timeUs: Math.round(Number(pts_time) * 1_000_000),
      durationUs: Math.round(Number(duration_time) * 1_000_000),
      key: flags.startsWith('K'),
    }),
  )
  return { bytes, samples }
}

function boxOf(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type, 0, 'latin1') - 4
  return file.subarray(at + 8, at + file.readUInt32BE(at))
}

/** What ffmpeg reads from a recording, packet for packet: track, time in its units, SHA-256. */
export async function framehash(file: string, track: 'v' | 'a'): Promise<{ time: number; sha256: string; size: number }[]> {
  const { stdout } = await run(
    'ffmpeg',
    ['-v', 'error', '-i', file, '-map', `0:${track}`, '-c', 'copy', '-f', 'framehash', '-hash', 'sha256', '-'],
    {
      maxBuffer: 64 << 20,
    },
  )
  return stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').map((field) => field.trim()))
    .map((fields) => ({ time: Number(fields[2]), size: Number(fields[4]), sha256: fields[5] ?? '' }))
}

/** A display whose encoder gives what the test hands to it. */
export function scriptedDisplay(
  config: MediaConfig,
): Pick<RecordedDisplay, 'startEncoder' | 'stopEncoder'> & { sink: EncoderSink | null; starts: number } {
  return {
    sink: null,
    starts: 0,
    async startEncoder(sink) {
      this.sink = sink
      this.starts += 1
      return config
    },
    async stopEncoder() {
      this.sink = null
    },
  }
}
