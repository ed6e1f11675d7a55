/** What a page asks of its visitor and the browser would ask in windows of its own: a login of HTTP, files to send. */
import { createHash, type Hash } from 'node:crypto'
import { chown, mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { CdpSession, Protocol } from '../../../../../platform/browser/cdp-connection.ts'
import type { InteractiveFacts } from '../../../../capture/server/index.ts'
import { liveFrame, type LiveNotice, type LiveOutput } from '../../../contract/live.ts'
import { interactiveLimits } from '../../../domain/interactive-limits.ts'
import { createLogins } from './ask-login.ts'
import { safeName } from './keep-downloads.ts'
import type { Secrets } from '../fields/secrets.ts'
import type { Tab } from '../tabs/tab.ts'
import type { Timeline } from '../timeline/timeline.ts'

export type PageAsks = {
  credentials(tab: Tab, session: CdpSession, asked: Protocol.Fetch.authRequiredPayload): void
  chooser(tab: Tab, session: CdpSession, asked: Protocol.Page.fileChooserOpenedPayload): void
  giveCredentials(id: number, user: string, password: string): void
  /** @returns false when these files are not taken */
  giveFiles(id: number, files: readonly { readonly name: string; readonly bytes: number }[]): Promise<boolean>
  /** A binary message of the viewer: `liveFrame.upload`. False: it belongs to nothing. */
  giveBytes(bytes: Uint8Array): Promise<boolean>
  decline(id: number): void
  /** A request of the tab was answered or failed. */
  settled(tab: Tab, url: string): void
  /** The tab shows another document: what the one before asked for is wanted no more. */
  navigated(tab: Tab): void
  closed(tab: Tab): void
  /** What waits for an answer: whoever takes control is told. */
  waiting(): readonly LiveOutput[]
  facts(): InteractiveFacts['uploads']
  stop(): void
  /** How often files that a page asked for were not taken. */
  refused(): number
}

const mostWaiting = 50
const mostUploads = 200

type Upload = {
  readonly id: number
  readonly tab: Tab
  readonly session: CdpSession
  readonly node: number
  readonly multiple: boolean
  readonly accept: string
  files:
    | {
        readonly name: string
        readonly bytes: number
        readonly path: string
        readonly inside: string
        readonly handle: FileHandle
        readonly hash: Hash
        got: number
      }[]
    | null
}

export function createPageAsks(deps: {
  readonly folder: { readonly path: string; readonly uid: number }
  readonly inBrowser: string
  readonly timeline: Timeline
  readonly secrets: Secrets
  /** Asks whoever steers. */
  readonly ask: (message: LiveOutput) => void
  readonly tell: (code: LiveNotice, data: Readonly<Record<string, string | number>>) => void
  readonly quietly: (work: Promise<unknown>) => void
}): PageAsks {
  const { timeline, quietly } = deps
  const uploads = new Map<number, Upload>()
  const facts: InteractiveFacts['uploads'][number][] = []
  let last = 0
  let spent = 0
  let refused = 0
  const nextId = () => (last += 1)
  const logins = createLogins({ ...deps, nextId })

  const uploadMessage = ({ id, multiple, accept }: Upload): LiveOutput => ({ type: 'ask_files', id, multiple, accept })
  const drop = async (upload: Upload): Promise<void> => {
    if (uploads.delete(upload.id)) deps.ask({ type: 'ask_ended', id: upload.id })
    for (const file of upload.files ?? []) {
      await file.handle.close().catch(() => undefined)
      await rm(file.path, { force: true }).catch(() => undefined)
    }
  }

  return {
    credentials: (tab, session, asked) => logins.asked(tab, session, asked),
    chooser: (tab, session, { mode, backendNodeId }) => {
      if (backendNodeId === undefined || uploads.size >= mostWaiting) return
      const id = nextId()
      const multiple = mode === 'selectMultiple'
      const add = (accept: string) => {
        const upload: Upload = { id, tab, session, node: backendNodeId, multiple, accept, files: null }
        uploads.set(id, upload)
        timeline.add('upload', { act: 'asked', tab: tab.number, multiple })
        deps.ask(uploadMessage(upload))
      }
      quietly(
        session.send('DOM.describeNode', { backendNodeId }).then(({ node }) => {
          const attributes = node.attributes ?? []
          const at = attributes.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'accept')
          add(at === -1 ? '' : (attributes[at + 1] ?? '').slice(0, 300))
        }),
      )
    },
    giveCredentials: (id, user, password) => void logins.give(id, user, password),
    giveFiles: async (id, files) => {
      const upload = uploads.get(id)
      if (upload === undefined || upload.files !== null) return false
      const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
      const taken = files.length > 0 && (upload.multiple || files.length === 1) && facts.length + files.length <= mostUploads
      if (!taken || spent + total > interactiveLimits.uploadBytes) {
        refused += 1
        timeline.add('upload', { act: 'refused', tab: upload.tab.number, files: files.length, bytes: total })
        await drop(upload)
        return false
      }
      spent += total
      upload.files = []
      const own = async (path: string) => {
        if (process.getuid?.() === 0) await chown(path, deps.folder.uid, deps.folder.uid)
      }
      for (const folder of ['uploads', `uploads/${String(id)}`]) {
        await mkdir(join(deps.folder.path, folder), { recursive: true, mode: 0o700 })
        await own(join(deps.folder.path, folder))
      }
      for (const [i, { name, bytes }] of files.entries()) {
        // The page is told the visitor's name of the file, without what could lead elsewhere.
        const plain = name
          .toWellFormed()
          .replaceAll(/[/\\\u0000-\u001f\u007f]/g, '_')
          .slice(0, 100)
        const shown = /^\.*$/.test(plain) || Buffer.byteLength(plain) > 200 ? safeName(name) : plain
        const place = `uploads/${String(id)}/${String(i)}`
        await mkdir(join(deps.folder.path, place), { mode: 0o700 })
        const path = join(deps.folder.path, place, shown)
        const handle = await open(path, 'wx', 0o600)
        await own(path)
        await own(join(deps.folder.path, place))
        upload.files.push({
          name: shown,
          bytes,
          path,
          inside: `${deps.inBrowser}/${place}/${shown}`,
          handle,
          hash: createHash('sha256'),
          got: 0,
        })
      }
      await finishWhenWhole(upload)
      return true
    },
    giveBytes: async (message) => {
      const head = 7
      if (message.length <= head || message[0] !== liveFrame.upload) return false
      const view = new DataView(message.buffer, message.byteOffset, message.byteLength)
      const upload = uploads.get(view.getUint32(1))
      const file = upload?.files?.[view.getUint16(5)]
      const part = message.subarray(head)
      if (upload === undefined || file === undefined || file.got + part.length > file.bytes) return false
      file.got += part.length
      file.hash.update(part)
      await file.handle.writeFile(part)
      await finishWhenWhole(upload)
      return true
    },
    decline: (id) => {
      if (logins.decline(id)) return
      const upload = uploads.get(id)
      if (upload === undefined) return
      timeline.add('upload', { act: 'declined', tab: upload.tab.number })
      quietly(drop(upload))
    },
    settled: (tab, url) => logins.settled(tab, url),
    navigated: (tab) => {
      logins.navigated(tab)
      forget(tab)
    },
    closed: (tab) => {
      logins.closed(tab)
      forget(tab)
    },
    stop: () => logins.stop(),
    waiting: () => [...logins.waiting(), ...[...uploads.values()].filter(({ files }) => files === null).map(uploadMessage)],
    facts: () => facts,
    refused: () => refused,
  }

  /** Files that are on their way are the page's to take or leave. */
  function forget(tab: Tab): void {
    for (const upload of uploads.values()) if (upload.tab === tab && upload.files === null) quietly(drop(upload))
  }

  async function finishWhenWhole(upload: Upload): Promise<void> {
    const files = upload.files ?? []
    if (!files.every(({ got, bytes }) => got === bytes) || !uploads.delete(upload.id)) return
    for (const { handle } of files) await handle.close()
    for (const { name, bytes, hash } of files) {
      const fact = { ms: timeline.ms(), url: upload.tab.url, name, bytes, sha256: hash.digest('hex') }
      facts.push(fact)
      timeline.add('upload', { act: 'given', url: fact.url, name, bytes, sha256: fact.sha256 })
    }
    quietly(
      upload.session.send('DOM.setFileInputFiles', { backendNodeId: upload.node, files: files.map(({ inside }) => inside) }),
    )
  }
}
