import { ApiError } from '../../../../ui/api/api-error.ts'
import type { Upload, UploadGlance } from './upload.ts'
import type { WishedCopy, WishStore } from './wish-store.ts'

/** `queued`: others are sent first. `absent`: the page was closed meanwhile, and the file must be given again. */
export type QueuedCopy = Omit<WishedCopy, 'tab'> & {
  readonly glance: UploadGlance | { readonly kind: 'queued' } | { readonly kind: 'absent' }
}

export type Uploads = {
  /** Those of whoever is signed in, in the order in which they are sent. */
  readonly glance: () => readonly QueuedCopy[]
  readonly onChange: (listener: () => void) => () => void
  /** To be sent, one after the other. @param first before those that wait */
  readonly add: (wished: readonly Omit<WishedCopy, 'tab'>[], fileOf: (sha256: string) => Blob | null, first?: boolean) => void
  /** A file that was asked for. @returns whether it is one of them */
  readonly give: (sha256: string, file: Blob) => boolean
  readonly pause: (id: string) => void
  readonly resume: (id: string) => void
  /** What failed, once more. */
  readonly again: (id: string) => void
  /** What of it was sent is kept by the server for a week, and its deposit asks for the rest. */
  readonly forget: (ids: readonly string[]) => void
  /** What other pages left unsent. */
  readonly load: () => Promise<void>
  /** Somebody else is signed in, or nobody: what is not his rests until he is back, and is not shown. */
  readonly lookAgain: () => void
  /** Something would be lost with the page. */
  readonly isBusy: () => boolean
}

export type UploadsDeps = {
  readonly store: Promise<WishStore>
  readonly start: (id: string, file: Blob, onChange: (glance: UploadGlance) => void) => Upload
  readonly isMine: (copy: Pick<WishedCopy, 'user' | 'delegation'>) => boolean
  /** Of this page. */
  readonly tab: string
  /** Tabs that are open. */
  readonly tabs: () => Promise<ReadonlySet<string>>
}

type Entry = { readonly wished: WishedCopy; file: Blob | null; upload: Upload | null; glance: QueuedCopy['glance'] }

/** Nothing more will be sent: it is there, or will never be taken. */
const isOver = (error: unknown): boolean => error instanceof ApiError && error.code === 'document.copy_there'

/** Copies of files on their way, one at a time; those that this page has no file of any more are known by their fingerprints. */
export function makeUploads(deps: UploadsDeps): Uploads {
  let entries: Entry[] = []
  let shown: readonly QueuedCopy[] | null = null
  const listeners = new Set<() => void>()
  const changed = () => {
    shown = null
    for (const listener of listeners) listener()
  }
  const keep = (act: (store: WishStore) => Promise<void>) => {
    // A browser that refuses to keep it sends it all the same.
    void deps.store.then(act).catch(() => undefined)
  }
  const isActive = ({ glance }: Entry) => glance.kind === 'sending' || glance.kind === 'paused' || glance.kind === 'resting'
  const pump = () => {
    if (entries.some(isActive)) return
    const next = entries.find(({ wished, glance, file }) => glance.kind === 'queued' && file !== null && deps.isMine(wished))
    if (next?.file == null) return
    next.glance = { kind: 'sending', sent: 0, size: next.file.size }
    next.upload = deps.start(next.wished.id, next.file, (glance) => {
      if (!entries.includes(next)) return
      next.glance = glance.kind === 'failed' && isOver(glance.reason) ? { kind: 'sent' } : glance
      if (next.glance.kind === 'sent') {
        next.file = null
        keep((store) => store.remove([next.wished.id]))
      }
      if (next.glance.kind === 'sent' || next.glance.kind === 'failed') pump()
      changed()
    })
  }
  const letGo = (gone: (entry: Entry) => boolean) => {
    for (const entry of entries) if (gone(entry)) entry.upload?.cancel()
    entries = entries.filter((entry) => !gone(entry))
    pump()
    changed()
  }
  const queue = (entry: Entry, file: Blob) => {
    entry.file = file
    entry.glance = { kind: 'queued' }
  }
  return {
    glance: () =>
      (shown ??= entries
        .filter(({ wished }) => deps.isMine(wished))
        .map(({ wished: { id, user, delegation, name, sha256 }, glance }) => ({ id, user, delegation, name, sha256, glance }))),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    add: (added, fileOf, first = false) => {
      const ids = new Set(added.map(({ id }) => id))
      for (const entry of entries) if (ids.has(entry.wished.id)) entry.upload?.cancel()
      const fresh = added.map((each): Entry => {
        const file = fileOf(each.sha256)
        const wished = { ...each, tab: deps.tab }
        return { wished, file, upload: null, glance: file === null ? { kind: 'absent' } : { kind: 'queued' } }
      })
      const others = entries.filter((entry) => !ids.has(entry.wished.id))
      entries = first
        ? [...others.filter(isActive), ...fresh, ...others.filter((entry) => !isActive(entry))]
        : [...others, ...fresh]
      keep((store) => store.put(fresh.map((entry) => entry.wished)))
      pump()
      changed()
    },
    give: (sha256, file) => {
      const wanted = entries.filter(({ wished, glance }) => wished.sha256 === sha256 && glance.kind === 'absent')
      for (const entry of wanted) queue(entry, file)
      if (wanted.length === 0) return false
      keep((store) => store.put(wanted.map(({ wished }) => ({ ...wished, tab: deps.tab }))))
      pump()
      changed()
      return true
    },
    pause: (id) => entries.find(({ wished }) => wished.id === id)?.upload?.pause(),
    resume: (id) => entries.find(({ wished }) => wished.id === id)?.upload?.resume(),
    again: (id) => {
      const entry = entries.find(({ wished, glance }) => wished.id === id && glance.kind === 'failed')
      if (entry?.file == null) return
      queue(entry, entry.file)
      pump()
      changed()
    },
    forget: (ids) => {
      const gone = new Set(ids)
      keep((store) => store.remove(ids))
      letGo(({ wished }) => gone.has(wished.id))
    },
    load: async () => {
      const [kept, tabs] = [await (await deps.store).all(), await deps.tabs()]
      const known = new Set(entries.map(({ wished }) => wished.id))
      const left = kept.filter(
        (each) => !known.has(each.id) && deps.isMine(each) && (each.tab === deps.tab || !tabs.has(each.tab)),
      )
      if (left.length === 0) return
      entries = [...entries, ...left.map((wished): Entry => ({ wished, file: null, upload: null, glance: { kind: 'absent' } }))]
      changed()
    },
    lookAgain: () => {
      for (const entry of entries) {
        if (deps.isMine(entry.wished) || !isActive(entry)) continue
        entry.upload?.cancel()
        entry.glance = { kind: 'queued' }
      }
      pump()
      changed()
    },
    isBusy: () => entries.some((entry) => deps.isMine(entry.wished) && (isActive(entry) || entry.glance.kind === 'queued')),
  }
}
