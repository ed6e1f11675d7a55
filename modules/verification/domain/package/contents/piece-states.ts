import type { OpenedEntry } from './open-package.ts'
import { coreFile, covers, mustBeCovered } from '../../manifest/package-layout.ts'
import type { Manifest } from '../../manifest/manifest.ts'
import type { Reference } from '../../manifest/read-asic-manifest.ts'
import type { Check, EntryRole, PieceState, VerifiedPiece } from '../../report/package-report.ts'

/** What became of each entry: of those that the lists name, of those that are there, and of the container's own. */
export function statesOf(input: {
  entries: ReadonlyMap<string, OpenedEntry>
  manifest: Manifest | undefined
  lists: readonly (readonly Reference[] | undefined)[]
  short: boolean
  coverStates: ReadonlyMap<string, PieceState>
}): VerifiedPiece[] {
  const { entries, manifest, lists, short } = input
  const expected = new Map<string, { role: EntryRole; sha256: string; bytes: number | null; withheld: boolean }>()
  for (const { path, sha256 } of lists[0] ?? []) expected.set(path, { role: roleOf(path), sha256, bytes: null, withheld: false })
  // The manifest's own digest comes first; the cover's stands in when the manifest cannot be read.
  for (const { path, sha256 } of lists[1] ?? []) expected.set(path, { role: 'unknown', sha256, bytes: null, withheld: false })
  for (const piece of manifest?.pieces ?? []) expected.set(piece.path, { ...piece, withheld: short })
  const states: VerifiedPiece[] = []
  const add = (path: string, role: EntryRole, state: PieceState, bytes: number | null): void => {
    states.push({ path, role, state, bytes, sha256: entries.get(path)?.sha256 ?? null })
  }
  for (const [path, { role, sha256, bytes, withheld }] of expected) {
    const entry = entries.get(path)
    if (entry === undefined) add(path, role, withheld ? 'withheld' : 'missing', bytes)
    else add(path, role, entry.sha256 === sha256 && (bytes === null || bytes === entry.size) ? 'intact' : 'altered', entry.size)
  }
  for (const path of mustBeCovered) if (!expected.has(path) && !entries.has(path)) add(path, roleOf(path), 'missing', null)
  const own = ['mimetype', ...covers.flatMap(({ xml, token, chain }, i) => (i === 1 && short ? [] : [xml, token, chain]))]
  for (const path of own) {
    const entry = entries.get(path)
    if (entry === undefined) add(path, 'container', 'missing', null)
    else if (path !== 'mimetype') add(path, 'container', input.coverStates.get(path) ?? 'intact', entry.size)
    else add(path, 'container', entry.sha256 === mimetypeSha256 ? 'intact' : 'altered', entry.size)
  }
  const known = new Set([...expected.keys(), ...own])
  for (const entry of entries.values()) {
    if (known.has(entry.path)) continue
    // With the first list unreadable nothing says what the core files were.
    if (lists[0] === undefined && coreFile.test(entry.path)) add(entry.path, roleOf(entry.path), 'unverified', entry.size)
    else add(entry.path, 'unknown', entry.isLitter === true ? 'system_file' : 'added', entry.size)
  }
  return states
}

/** SHA-256 of `application/vnd.etsi.asic-e+zip`. */
const mimetypeSha256 = '49f862215ba759e69b64ea99f5c0b115ccf2b78b391c9556607215d71c5c9f72'

function roleOf(path: string): EntryRole {
  if (path.startsWith('seal/')) return 'seal'
  if (path.startsWith('report.')) return 'report'
  if (path === 'manifest.json') return 'manifest'
  if (path === 'README.txt') return 'readme'
  return path === 'verify.html' ? 'verifier' : 'unknown'
}

/** What a system left beside the pieces is told of, and weighs nothing. */
export function pieceChecks(pieces: readonly VerifiedPiece[], short: boolean): Check[] {
  const told = pieces.filter(({ state }) => state !== 'intact' && state !== 'withheld')
  const bad = told.filter(({ state }) => state !== 'system_file')
  const wrong = bad.some(({ state }) => state !== 'unverified')
  const intact = pieces.filter(({ state }) => state === 'intact').length
  const withheld = pieces.filter(({ state }) => state === 'withheld').length
  return [
    ...told.slice(0, 1000).map(({ path, state }): Check => ({
      id: 'piece',
      status: state === 'system_file' ? 'passed' : state === 'unverified' ? 'indeterminate' : 'failed',
      subject: path,
      data: { state },
      repeat_command: `sha256sum -- ${shellWord(path)}`,
    })),
    {
      id: 'pieces',
      status: wrong || intact === 0 ? 'failed' : bad.length > 0 ? 'indeterminate' : 'passed',
      data: { intact, withheld, bad: bad.length, short: short ? 'yes' : 'no' },
      repeat_command: 'find capture environment seal -type f -exec sha256sum -- {} +',
    },
  ]
}

function shellWord(path: string): string {
  return /^[A-Za-z0-9._/-]+$/.test(path) ? path : `'${path.replaceAll(/[^ -~]/g, '?').replaceAll("'", "'\\''")}'`
}
