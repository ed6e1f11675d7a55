import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { BitcoinNetwork, PlatformKeys } from '../../modules/verification/domain/known/verify-deps.ts'
import type { ProofCheck, ProofKind } from '../../modules/verification/domain/report/proof-report.ts'
import type { Verdict } from '../../modules/verification/domain/report/verdict.ts'
import type { TrustedLists } from '../../modules/verification/domain/known/trusted-lists.ts'

/**
 * The gallery of inputs that are right, or wrong in one way that is told: `<kind>/vectors.json` and the files beside it. Each is
 * written by `make-<kind>-vectors.ts`, which states by hand what the verifier must find.
 */
export type Known = {
  /** The instant at which it is verified, ISO 8601. */
  readonly now?: string
  /** Roots that the reader got from elsewhere: name of a PEM file in the folder. */
  readonly trust?: string
  readonly network?: BitcoinNetwork
  readonly headers?: readonly { readonly height: number; readonly header: string; readonly source: string }[]
  readonly keys?: PlatformKeys
  readonly lists?: TrustedLists
  /** Not even those of the table. */
  readonly noLists?: true
}

/** A long text is told, not written. */
export type FieldText = string | { readonly repeat: string; readonly times: number }

/** One edit of another file of the folder: so many octets at `at` give way to others, base64. */
export type Edit = { readonly base: string; readonly at: number; readonly remove: number; readonly insert: string }

export type Row = {
  readonly name: string
  readonly file?: string
  readonly edit?: Edit
  /** What the reader fills in beside the file. Octets are hexadecimal. */
  readonly input?: Readonly<Record<string, FieldText>>
  /** Instead of what the whole table says. */
  readonly known?: Known
  /** Every check that does not pass: `failed`, `indeterminate` or `noted` (it does not weigh), and why. */
  readonly finds: Readonly<Record<string, string>>
  /** Null of what is no proof of its kind at all. */
  readonly verdict: Verdict | null
  /** The form that the page and the server share refuses it before any verifier reads it. */
  readonly refused?: true
}
/** `usual`: notes that any row may bear without saying so, where something optional is not there. */
export type Gallery = { readonly known: Known; readonly usual?: Row['finds']; readonly rows: readonly Row[] }

export const folderOf = (kind: ProofKind): URL => new URL(`./${kind}/`, import.meta.url)

/** What a generator says of one input; the verdict follows from what is to be found. */
export type Case = Omit<Row, 'verdict' | 'edit' | 'file'> & {
  /** Written as this file… */
  readonly file?: string
  /** …or as an edit of that one, when it is given. */
  readonly editOf?: string
  readonly bytes?: Uint8Array
}

export async function writeGallery(
  kind: ProofKind,
  {
    files = {},
    cases,
    unusable = [],
    ...table
  }: Omit<Gallery, 'rows'> & {
    readonly cases: readonly Case[]
    readonly files?: Readonly<Record<string, Uint8Array | string>>
    /** Names of the cases that are no proof of the kind at all. */
    readonly unusable?: readonly string[]
  },
): Promise<void> {
  const folder = folderOf(kind)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const written = new Map<string, Uint8Array>()
  for (const { file, bytes } of cases) if (file !== undefined && bytes !== undefined) written.set(file, bytes)
  const rows = cases.map(({ bytes, editOf, ...row }): Row => {
    const base = editOf === undefined ? undefined : written.get(editOf)
    if (editOf !== undefined && (base === undefined || bytes === undefined)) throw new Error(`${row.name}: no ${editOf}`)
    const edit = base === undefined || bytes === undefined || editOf === undefined ? {} : { edit: editFrom(editOf, base, bytes) }
    return { ...row, ...edit, verdict: unusable.includes(row.name) ? null : verdictOfFinds(row.finds) }
  })
  for (const [file, bytes] of [...written, ...Object.entries(files)]) await writeFile(new URL(file, folder), bytes)
  await writeFile(new URL('vectors.json', folder), `${JSON.stringify({ ...table, rows } satisfies Gallery, null, 2)}\n`)
}

export function verdictOfFinds(finds: Row['finds']): Verdict {
  const grave = Object.values(finds)
  if (grave.some((each) => each.startsWith('failed'))) return 'TOTAL-FAILED'
  return grave.some((each) => each.startsWith('indeterminate')) ? 'INDETERMINATE' : 'TOTAL-PASSED'
}

function editFrom(base: string, from: Uint8Array, to: Uint8Array): Edit {
  const shorter = Math.min(from.length, to.length)
  let at = 0
  while (at < shorter && from[at] === to[at]) at += 1
  let end = 0
  while (end < shorter - at && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1
  const insert = Buffer.from(to.subarray(at, to.length - end)).toString('base64')
  return { base, at, remove: from.length - end - at, insert }
}

/** `id=reason` fails, `id~reason` is open, `id?reason` is noted. */
export function findsIn(finds: readonly string[]): Record<string, string> {
  const grades: Readonly<Record<string, string>> = { '=': 'failed', '~': 'indeterminate', '?': 'noted' }
  return Object.fromEntries(
    finds.map((each) => {
      const [, id = '', sign = '', reason = ''] = /^(\w+)([=~?])(\w+)$/.exec(each) ?? []
      return [id, `${grades[sign]} ${reason}`]
    }),
  )
}

export async function readGallery(kind: ProofKind): Promise<Gallery> {
  return JSON.parse(await readFile(new URL('vectors.json', folderOf(kind)), 'utf8')) as Gallery
}

export async function bytesOf(kind: ProofKind, { file, edit }: Row): Promise<Uint8Array> {
  const read = async (name: string): Promise<Uint8Array> => new Uint8Array(await readFile(new URL(name, folderOf(kind))))
  if (edit === undefined) return file === undefined ? new Uint8Array() : await read(file)
  const base = await read(edit.base)
  const insert = new Uint8Array(Buffer.from(edit.insert, 'base64'))
  return new Uint8Array(Buffer.concat([base.subarray(0, edit.at), insert, base.subarray(edit.at + edit.remove)]))
}

export function fieldsOf({ input = {} }: Row): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(input).map(([name, text]) => [name, typeof text === 'string' ? text : text.repeat.repeat(text.times)]),
  )
}

/** Of a report, or of what a call answers. */
type FoundCheck = Pick<ProofCheck, 'id' | 'status' | 'data'> & { readonly supplementary?: true | undefined }

/** Every check that did not pass, as a row says it; without what is usual and the row does not speak of. */
export function findsOf(
  { checks }: { readonly checks: readonly FoundCheck[] },
  { usual = {} }: Pick<Gallery, 'usual'>,
  row: Row,
): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { id, status, supplementary, data } of checks) {
    if (status === 'passed') continue
    const grade = status === 'indeterminate' && supplementary === true ? 'noted' : status
    const said = `${grade} ${data['reason']}`
    if (usual[id] === said && row.finds[id]?.split(', ').includes(said) !== true) continue
    const before = found[id]
    found[id] = before === undefined || before.split(', ').includes(said) ? (before ?? said) : `${before}, ${said}`
  }
  return found
}

/** The check that a row is about: the only one that failed, or, where none did, the only one that is open, or noted. */
export function aloneIn({ finds }: Pick<Row, 'finds'>): string | undefined {
  for (const grade of ['failed', 'indeterminate', 'noted']) {
    const ids = Object.entries(finds).flatMap(([id, said]) =>
      said.split(', ').some((each) => each.startsWith(grade)) ? [id] : [],
    )
    if (ids.length > 0) return ids.length === 1 ? ids[0] : undefined
  }
  return undefined
}
