import { access, open } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Clock } from '../../../../../kernel/clock.ts'
import type { AntivirusFacts } from '../../../domain/conditions/machine-facts.ts'
import { ProbeError, reasonOf } from '../ask/probe-error.ts'

/** Where ClamAV stands on this machine; the others that exist have no offline interface to ask. */
export type AntivirusPlaces = { readonly socket: string; readonly programs: readonly string[]; readonly signatures: string }
export const systemAntivirus: AntivirusPlaces = {
  socket: '/run/clamav/clamd.ctl',
  programs: ['/usr/sbin/clamd', '/usr/bin/clamscan', '/usr/bin/clamdscan'],
  signatures: '/var/lib/clamav',
}

/** clamd's own default for StreamMaxLength is 100 MiB (clamd.conf(5)); what a capture saves is far below. */
const maxStream = 64 * 1024 * 1024
const maxReply = 4 * 1024

/** One command of clamd's protocol (clamd(8)): `z`, the command, a zero octet; the reply ends with one. @throws ProbeError */
function askClamd(socketPath: string, command: string, signal: AbortSignal, file: string | null = null): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath)
    let reply = ''
    const end = (finish: () => void): void => {
      signal.removeEventListener('abort', cancel)
      socket.destroy()
      finish()
    }
    const cancel = (): void => end(() => reject(new ProbeError('timeout')))
    if (signal.aborted) return cancel()
    signal.addEventListener('abort', cancel, { once: true })
    socket.on('error', (error: NodeJS.ErrnoException) => end(() => reject(new ProbeError(error.code ?? 'failed'))))
    socket.on('data', (chunk) => {
      reply = (reply + chunk.toString('utf8')).slice(0, maxReply)
      if (reply.includes('\0') || reply.length >= maxReply) end(() => resolve(reply.split('\0')[0] ?? ''))
    })
    socket.on('end', () => end(() => (reply === '' ? reject(new ProbeError('closed')) : resolve(reply))))
    socket.on('connect', () => {
      socket.write(`z${command}\0`)
      if (file === null) return
      const send = async (): Promise<void> => {
        for await (const chunk of createReadStream(file, { end: maxStream - 1, highWaterMark: 64 * 1024 })) {
          const length = Buffer.alloc(4)
          length.writeUInt32BE((chunk as Buffer).length)
          socket.write(length)
          if (!socket.write(chunk as Buffer)) await new Promise((next) => socket.once('drain', next).once('close', next))
          if (socket.destroyed) return
        }
        socket.write(Buffer.alloc(4))
      }
      send().catch((error: unknown) => end(() => reject(error instanceof Error ? error : new ProbeError('failed'))))
    })
  })
}

/** Head of a signature file: `ClamAV-VDB:21 Nov 2026 03-30 -0500:27460:…` (clamav, "cvd" format). */
async function readSignatures(folder: string): Promise<{ readonly version: string; readonly at: string | null } | null> {
  for (const name of ['daily.cld', 'daily.cvd']) {
    const file = await open(join(folder, name), 'r').catch(() => null)
    if (file === null) continue
    try {
      const head = Buffer.alloc(128)
      await file.read(head, 0, head.length, 0)
      const [, when = '', version = ''] = /^ClamAV-VDB:([^:]{1,40}):(\d{1,10}):/.exec(head.toString('latin1')) ?? []
      const at = Date.parse(when.replace(/(\d\d)-(\d\d) /, '$1:$2 '))
      if (version !== '') return { version, at: Number.isNaN(at) ? null : new Date(at).toISOString() }
    } finally {
      await file.close()
    }
  }
  return null
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/**
 * Whether an antivirus is installed, how old its signatures are, and, where its service runs, what it says of the given files of this
 * capture. Never throws.
 */
export async function measureAntivirus(
  deps: { readonly clock: Clock; readonly signal: AbortSignal },
  files: readonly { readonly path: string; readonly file: string }[],
  places: AntivirusPlaces = systemAntivirus,
): Promise<AntivirusFacts> {
  const found = await Promise.all([places.socket, ...places.programs].map(exists))
  const none: AntivirusFacts = { installed: false, engine: null, signatures: null, signatures_at: null, scan: null, error: null }
  if (!found.includes(true)) return none
  const onDisk = await readSignatures(places.signatures).catch(() => null)
  const installed: AntivirusFacts = {
    ...none,
    installed: true,
    signatures: onDisk?.version ?? null,
    signatures_at: onDisk?.at ?? null,
  }
  try {
    // `ClamAV 1.4.3/27460/Sat Nov 21 08:30:12 2026`: when the signatures were made, by ctime(3) of this machine.
    const [engine = '', version, when] = (await askClamd(places.socket, 'VERSION', deps.signal)).trim().split('/')
    const at = Date.parse(when ?? '')
    const madeAt = Number.isNaN(at) ? installed.signatures_at : new Date(at).toISOString()
    const scanned: { path: string; result: 'clean' | 'found' | 'failed'; detail: string | null }[] = []
    const began = deps.clock.now().toISOString()
    for (const { path, file } of files) {
      const reply = await askClamd(places.socket, 'INSTREAM', deps.signal, file).catch(
        (error: unknown) => `stream: ${reasonOf(error)} ERROR`,
      )
      const [, name] = /^stream: (.{1,200}) FOUND$/.exec(reply.trim()) ?? []
      const clean = reply.trim() === 'stream: OK'
      scanned.push({
        path,
        result: clean ? 'clean' : name === undefined ? 'failed' : 'found',
        detail: clean ? null : (name ?? reply.trim().slice(0, 200)),
      })
    }
    return {
      ...installed,
      engine: engine.slice(0, 100),
      signatures: version ?? installed.signatures,
      signatures_at: madeAt,
      scan: scanned.length === 0 ? null : { at: began, files: scanned },
    }
  } catch (error) {
    // Installed, and no service that answers: nothing was scanned.
    return { ...installed, error: reasonOf(error) }
  }
}
