/**
 * One ffmpeg over pictures of the recording: it decodes only what our own encoder made, and nevertheless runs as the jail's user,
 * in namespaces of its own, without network, file or home, behind everything that records (nice), and ends with us.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { asJailUser } from '../../../../../platform/browser/jail.ts'
import { killStrays } from '../../../../../platform/browser/process-tree.ts'
import type { MediaSample } from '../../../../../platform/display/recorded-display.ts'
import { flvHead, flvPicture } from './write-flv.ts'

const memoryBytes = 1 << 30

/** @param name by which its bubblewrap is found, should that be orphaned */
const jail = (name: string): readonly string[] =>
  [
    `bwrap --unshare-all --die-with-parent --new-session --cap-drop ALL --clearenv --setenv RUN ${name}`,
    '--ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64 --dev /dev',
    '--ro-bind-try /etc/ld.so.cache /etc/ld.so.cache --ro-bind-try /etc/alternatives /etc/alternatives',
    `-- /usr/bin/nice -n 10 /usr/bin/prlimit --as=${memoryBytes} /usr/bin/ffmpeg`,
  ]
    .join(' ')
    .split(' ')
// It begins at once: what a picture is stands before the first. (`nobuffer` would throw the first group away.)
const input = ['-v', 'error', '-nostdin', '-flags', 'low_delay', '-threads', '1']
const source = [
  '-probesize',
  '32',
  '-analyzeduration',
  '0',
  '-f',
  'flv',
  '-i',
  'pipe:0',
  '-map',
  '0:v:0',
  '-fps_mode',
  'passthrough',
]

export type PictureProcess = {
  /** @returns whether it was taken: not while more than `mostWaiting` octets wait to be read by it */
  feed(sample: MediaSample): boolean
  /** Settles when it can be fed again, or is gone. */
  drained(): Promise<void>
  /** Nothing more comes: what it has is put out. */
  end(): void
  kill(): void
  /** Settles when it is gone, with why if it was not in order. */
  readonly ended: Promise<string | null>
}

const mostWaiting = 8 << 20

/**
 * @param output options after the input: filters, codec and format
 * @param onBytes what it puts out; when this throws, the process is ended
 */
export function runFfmpeg(avcC: Uint8Array, output: readonly string[], onBytes: (bytes: Buffer) => void): PictureProcess {
  const name = randomUUID()
  const [program, ...rest] = asJailUser([...jail(name), ...input, ...source, ...output, '-flush_packets', '1', 'pipe:1'])
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(program as string, rest, {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  let fault: string | null = null
  const kill = (): void => {
    child.stdin.destroy()
    child.kill('SIGKILL')
  }
  // Killed before it had asked to die with its parent, the inner bubblewrap would hold our pipes open for ever.
  child.on('exit', () => void killStrays(name).catch(() => undefined))
  child.stderr.on('data', (bytes: Buffer) => (said = `${said}${bytes.toString()}`.slice(0, 500)))
  child.stdout.on('data', (bytes: Buffer) => {
    try {
      onBytes(bytes)
    } catch (error) {
      fault ??= error instanceof Error ? error.message : 'malformed'
      kill()
    }
  })
  // A pipe to a process that has ended; `ended` says why.
  child.stdin.on('error', () => undefined)
  const ended = new Promise<string | null>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code) => resolve(fault ?? (code === 0 ? null : said.trim() === '' ? `ended with ${code}` : said.trim())))
  })
  child.stdin.write(flvHead(avcC))
  return {
    feed: (sample) => {
      if (!child.stdin.writable || child.stdin.writableLength > mostWaiting) return false
      child.stdin.write(flvPicture(sample))
      return true
    },
    drained: async () => {
      const drain = new Promise<void>((resolve) => child.stdin.once('drain', () => resolve()))
      await Promise.race([drain, ended])
    },
    end: () => {
      child.stdin.end()
    },
    kill,
    ended,
  }
}
