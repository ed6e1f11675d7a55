/** Files that the page has saved: kept as pieces up to a bound, never opened; more are refused by name. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { chown, mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { CdpConnection } from '../../../../../platform/browser/cdp-connection.ts'
import type { Log } from '../../../../../platform/log/log.ts'
import type { InteractiveFacts, CapturedFile } from '../../../../capture/server/index.ts'
import type { LiveNotice } from '../../../contract/live.ts'
import { interactiveLimits } from '../../../domain/interactive-limits.ts'
import type { Timeline } from '../timeline/timeline.ts'

type Fact = InteractiveFacts['downloads'][number]

export type Downloads = {
  /** From now on files are kept. */
  begin(): Promise<void>
  /** What is still on its way is given up, and what came is taken over. */
  finish(): Promise<{ readonly facts: readonly Fact[]; readonly files: readonly CapturedFile[] }>
}

const most = 50

/** A name that no system reads as anything else: what the site called it stays in the facts. */
export function safeName(name: string): string {
  const base = name.toWellFormed().normalize('NFKD').split(/[/\\]/).at(-1) ?? ''
  const plain = base
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
  return plain.slice(-80).replace(/^[-.]+/, '') || 'file'
}

export function createDownloads(deps: {
  readonly cdp: CdpConnection
  /** The session's folder as we see it, and as the browser does. */
  readonly folder: { readonly path: string; readonly uid: number }
  readonly inBrowser: string
  readonly workDir: string
  readonly timeline: Timeline
  readonly log: Log
  readonly tell: (code: LiveNotice, data: Readonly<Record<string, string | number>>) => void
  readonly limitBytes?: number
}): Downloads {
  const limit = deps.limitBytes ?? interactiveLimits.downloadBytes
  const inside = join(deps.folder.path, 'downloads')
  const facts: Fact[] = []
  const files: CapturedFile[] = []
  type Open = {
    readonly guid: string
    readonly url: string
    readonly name: string
    readonly ms: number
    bytes: number
    refused: string | null
  }
  const running = new Map<string, Open>()
  let spent = 0
  let taking: Promise<void> = Promise.resolve()

  const refuse = (one: Open, reason: string) => {
    if (one.refused !== null) return
    one.refused = reason
    deps.cdp.browser.send('Browser.cancelDownload', { guid: one.guid }).catch(() => undefined)
    close(one, null)
  }
  const close = (one: Open, kept: { readonly path: string; readonly sha256: string; readonly bytes: number } | null) => {
    running.delete(one.guid)
    const { ms, url, name, refused } = one
    if (facts.length >= 500) return
    facts.push({
      ms,
      url,
      name,
      path: kept?.path ?? null,
      bytes: kept?.bytes ?? one.bytes,
      sha256: kept?.sha256 ?? null,
      refused,
    })
    deps.timeline.add('download', {
      url,
      name,
      path: kept?.path ?? null,
      sha256: kept?.sha256 ?? null,
      bytes: one.bytes,
      refused,
      ...(kept === null ? {} : { pieces: [{ path: kept.path, sha256: kept.sha256 }] }),
    })
    deps.tell(kept === null ? 'download_refused' : 'download_kept', {
      name: name.slice(0, 200),
      bytes: kept?.bytes ?? one.bytes,
      ...(refused === null ? {} : { reason: refused }),
    })
  }
  const take = async (one: Open): Promise<void> => {
    const index = files.length + 1
    const path = `capture/downloads/${String(index).padStart(2, '0')}-${safeName(one.name)}`
    const file = join(deps.workDir, path.replaceAll('/', '-'))
    const inJail = join(inside, one.guid)
    try {
      const copied = await copyFromJail(inJail, file, limit - spent)
      if (copied === null) {
        refuse(one, 'too_large')
        return
      }
      spent += copied.bytes
      files.push({ path, role: 'download', media_type: 'application/octet-stream', file })
      close(one, { path, ...copied })
    } catch (error) {
      deps.log.error({ err: error }, 'a download was not taken over')
      refuse(one, 'not_readable')
    } finally {
      await rm(inJail, { force: true }).catch(() => undefined)
    }
  }

  deps.cdp.browser.on('Browser.downloadWillBegin', ({ guid, url, suggestedFilename }) => {
    if (running.has(guid) || !/^[0-9a-f-]{1,64}$/i.test(guid)) return
    const one: Open = { guid, url, name: suggestedFilename, ms: deps.timeline.ms(), bytes: 0, refused: null }
    running.set(guid, one)
    if (files.length + running.size > most) refuse(one, 'too_many')
  })
  deps.cdp.browser.on('Browser.downloadProgress', ({ guid, state, receivedBytes, totalBytes }) => {
    const one = running.get(guid)
    if (one === undefined) return
    one.bytes = receivedBytes
    const others = [...running.values()].reduce((sum, each) => sum + (each === one ? 0 : each.bytes), 0)
    if (Math.max(totalBytes, receivedBytes) + others + spent > limit) refuse(one, 'too_large')
    else if (state === 'canceled') {
      one.refused = 'interrupted'
      close(one, null)
    } else if (state === 'completed') taking = taking.then(() => take(one))
  })
  return {
    begin: async () => {
      await mkdir(inside, { mode: 0o700 })
      if (process.getuid?.() === 0) await chown(inside, deps.folder.uid, deps.folder.uid)
      await deps.cdp.browser.send('Browser.setDownloadBehavior', {
        behavior: 'allowAndName',
        downloadPath: `${deps.inBrowser}/downloads`,
        eventsEnabled: true,
      })
    },
    finish: async () => {
      await taking
      for (const one of running.values()) refuse(one, 'session_ended')
      await taking
      return { facts, files }
    },
  }
}

/**
 * Copies what the jail wrote. What looks like a file may have become a link or a pipe meanwhile: neither is followed. Null when it
 * is longer than `most` octets.
 */
export async function copyFromJail(
  from: string,
  to: string,
  most: number,
): Promise<{ readonly bytes: number; readonly sha256: string } | null> {
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  let target: FileHandle | null = null
  try {
    const found = await source.stat()
    if (!found.isFile() || found.nlink !== 1) throw new Error('not a plain file')
    target = await open(to, 'wx', 0o600)
    const hash = createHash('sha256')
    const buffer = Buffer.alloc(1 << 20)
    let bytes = 0
    for (;;) {
      const { bytesRead } = await source.read(buffer, 0, buffer.length, bytes)
      if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') }
      bytes += bytesRead
      if (bytes > most) {
        await rm(to, { force: true })
        return null
      }
      const part = buffer.subarray(0, bytesRead)
      hash.update(part)
      await target.writeFile(part)
    }
  } finally {
    await source.close()
    await target?.close()
  }
}
