import type { JournalLine, ProofKind } from './journal-lines.ts'

/** The copy of a file that its deposit was made with. */
export type Copy = {
  readonly state: 'wanted' | 'sent' | 'stored' | 'refused'
  readonly code: string | null
  readonly until: string | null
  /** Of the upload that is under way: how many pieces came of how many. */
  readonly upload: { readonly id: string; readonly came: Set<number>; readonly parts: number } | null
}

export type Wanted = {
  readonly sha256: string
  readonly sha512: string
  readonly mark: string
  readonly name: string | null
  readonly label: string | null
  readonly store: boolean
  readonly replaces: string | null
  after: string | null
  /** Of the deposit, once there is one. */
  id: string | null
  earlier: string | null
  /** Why there will be none. */
  lost: string | null
  copy: Copy | null
}

/** One content of one file, and what there is of its proofs. */
export type Kept = {
  readonly path: string
  readonly sha256: string
  base: string
  stem: string | null
  readonly proofs: Set<ProofKind>
}

export type JournalState = {
  /** By content. */
  readonly wanted: Map<string, Wanted>
  /** By path and content. */
  readonly kept: Map<string, Kept>
  /** How each file looked when its content was last read. */
  readonly looks: Map<string, { readonly look: string; readonly sha256: string }>
  /** Places that proofs are written to. */
  readonly stems: Set<string>
  /** By path, since when a file is known not to be there. */
  readonly gone: Map<string, string>
  apply(line: JournalLine): void
  /** Lines that lead to the same state. */
  lines(): Generator<JournalLine>
}

export const keptKey = (path: string, sha256: string): string => `${path}\0${sha256}`

const first = ['tsr', 'ers'] as const satisfies readonly ProofKind[]

/** Whether the proofs are there that come first; those of the anchor come later. */
export const isComplete = ({ proofs }: Kept): boolean => first.every((kind) => proofs.has(kind))

export const isWaiting = ({ id, lost }: Wanted): boolean => id === null && lost === null

const noCopy: Copy = { state: 'wanted', code: null, until: null, upload: null }

/** What the lines of a journal come to. */
export function createJournalState(): JournalState {
  const wanted = new Map<string, Wanted>()
  const kept = new Map<string, Kept>()
  const looks = new Map<string, { look: string; sha256: string }>()
  const stems = new Set<string>()
  const gone = new Map<string, string>()
  const contentOf = new Map<string, string>()

  const keptOf = (of: { path: string; sha256: string }): Kept => {
    const key = keptKey(of.path, of.sha256)
    const found = kept.get(key) ?? { path: of.path, sha256: of.sha256, base: of.path, stem: null, proofs: new Set<ProofKind>() }
    kept.set(key, found)
    return found
  }
  const change = (mark: string, does: (one: Wanted) => void): void => {
    const one = wanted.get(contentOf.get(mark) ?? '')
    if (one?.mark === mark) does(one)
  }

  function apply(each: JournalLine): void {
    switch (each.t) {
      case 'file':
        looks.set(each.path, { look: each.look, sha256: each.sha256 })
        gone.delete(each.path)
        keptOf(each).base = each.base
        break
      case 'wanted': {
        const { t: _t, ...of } = each
        wanted.set(each.sha256, { ...of, id: null, earlier: null, lost: null, copy: each.store ? noCopy : null })
        contentOf.set(each.mark, each.sha256)
        break
      }
      case 'deposited':
        change(each.mark, (one) => Object.assign(one, { id: each.id, earlier: each.earlier }))
        break
      case 'lost':
        change(each.mark, (one) => Object.assign(one, { lost: each.code }))
        break
      case 'unchained':
        change(each.mark, (one) => Object.assign(one, { after: null }))
        break
      case 'piece':
        change(each.mark, (one) => {
          const before = one.copy?.upload
          const came = before?.id === each.upload ? before.came : new Set<number>()
          one.copy = { ...noCopy, upload: { id: each.upload, came: came.add(each.part), parts: each.parts } }
        })
        break
      case 'copy':
        change(each.mark, (one) => {
          const { state, code, until } = each
          one.copy = { state, code, until, upload: null }
        })
        break
      case 'place':
        keptOf(each).stem = each.stem
        stems.add(each.stem)
        break
      case 'proof':
        keptOf(each).proofs.add(each.kind)
        break
      case 'stem':
        stems.add(each.stem)
        break
      default:
        gone.set(each.path, each.at)
    }
  }

  function* lines(): Generator<JournalLine> {
    const isNow = ({ path, sha256 }: Kept) => looks.get(path)?.sha256 === sha256
    // The last line of a file says what it holds.
    for (const { path, base, sha256 } of [...kept.values()].filter((each) => !isNow(each)))
      yield { t: 'file', path, base, look: '', sha256 }
    for (const { path, base, sha256 } of kept.values()) {
      const seen = looks.get(path)
      if (seen?.sha256 === sha256) yield { t: 'file', path, base, look: seen.look, sha256 }
    }
    for (const { id, earlier, lost, copy, ...of } of wanted.values()) {
      const { mark } = of
      yield { t: 'wanted', ...of }
      if (id !== null) yield { t: 'deposited', mark, id, earlier }
      if (lost !== null) yield { t: 'lost', mark, code: lost }
      const { upload = null } = copy ?? {}
      for (const part of upload?.came ?? []) yield { t: 'piece', mark, upload: upload?.id ?? '', part, parts: upload?.parts ?? 0 }
      if (copy !== null && upload === null) yield { t: 'copy', mark, state: copy.state, code: copy.code, until: copy.until }
    }
    const placed = new Set<string>()
    for (const { path, sha256, stem, proofs } of kept.values()) {
      if (stem !== null) yield { t: 'place', path, sha256, stem }
      if (stem !== null) placed.add(stem)
      for (const kind of proofs) yield { t: 'proof', path, sha256, kind }
    }
    for (const stem of stems) if (!placed.has(stem)) yield { t: 'stem', stem }
    for (const [path, at] of gone) yield { t: 'gone', path, at }
  }

  return { wanted, kept, looks, stems, gone, apply, lines }
}
