import { sha256 } from '@noble/hashes/sha2.js'
import { fromHex, toHex } from '../../../../../kernel/bytes.ts'
import { isCompanion, isOfDeposit } from '../dropped/companions.ts'
import type { DossierItem } from '../dropped/item.ts'
import { examineLogProof } from '../../log/verify-log-proof.ts'
import { baseOf, placeOf } from '../dropped/open-containers.ts'
import type { Bound } from '../../report/proof-report.ts'
import type { ItemKind } from '../../recognise/recognise.ts'

/** What a proof is to be compared with. */
export type Partner = {
  /** Lower-case hexadecimal. */
  readonly digest: string
  /** Item whose octets they are the digest of; absent when it is another proof that names the digest, or a file that holds it. */
  readonly file?: number
  /** It is what the proof commits to. Else it is what the proof should be about, and then says itself that it is not. */
  readonly exact: boolean
  /** What the proof is found to commit to by it. */
  readonly bound: readonly Bound[]
}

const held: readonly Bound['of'][] = ['file', 'root', 'digest']
const alwaysProofs: readonly ItemKind[] = [
  'timestamp',
  'evidence_record',
  'opentimestamps',
  'chainpoint',
  'cms',
  'log_proof',
  'checkpoint',
]
/** Many times the files that one deposit's proofs are. */
const mostTried = 64

/**
 * The file or digest that a proof is about: the one that it commits to, else the one that its name says it belongs to, else the only
 * file that no proof is about, when this is the only proof that is about none. Undefined when there is nothing to compare it with.
 * @param proof octets of the item, when it is a proof by the log: only its own salt tells what it is about
 */
export function partnerOf(
  index: number,
  items: readonly DossierItem[],
  proof: Uint8Array | undefined,
  now: Date,
): Partner | undefined {
  const item = items[index]
  if (item?.result.form !== 'proof') return undefined
  if (proof !== undefined) return logPartner(index, items, proof, now)
  const wanted = item.bound.filter(
    ({ of }) => of === 'imprint' || (of === 'message' && (item.kind === 'cms' || item.kind === 'xades')),
  )
  const [first] = wanted
  if (first === undefined) return undefined
  const match = (of: readonly Bound['of'][]): Partner | undefined => {
    for (const imprint of wanted) {
      for (const [i, { bound }] of items.entries()) {
        const found = i === index ? undefined : bound.find((each) => of.includes(each.of) && nameOf(each) === nameOf(imprint))
        if (found !== undefined)
          return { digest: imprint.hex, ...(found.of === 'file' ? { file: i } : {}), exact: true, bound: [] }
      }
    }
    return undefined
  }
  // The digest that `root.bin` holds is not the file: that one, or an altered copy of it, is what is asked about.
  return (
    match(['file', 'root']) ??
    (item.kind === 'cms' ? overDigest(index, items, first) : undefined) ??
    expected(index, items, first) ??
    match(['digest'])
  )
}

/** A signature over the octets of a digest, as one over the root of a batch or a package is: of those that are named here. */
function overDigest(index: number, items: readonly DossierItem[], message: Bound): Partner | undefined {
  if (message.algorithm !== 'sha256') return undefined
  for (const root of digestsBeside(index, items)) {
    if (toHex(sha256(fromHex(root))) === message.hex)
      return { digest: message.hex, exact: true, bound: [{ algorithm: 'sha256', hex: root, of: 'imprint' }] }
  }
  return undefined
}

/** SHA-256 digests that others have here, those that came with the item first. */
function digestsBeside(index: number, items: readonly DossierItem[]): string[] {
  const place = placeOf(items[index]?.name ?? '')
  const near = (item: DossierItem): boolean => placeOf(item.name) === place
  const of = (chosen: readonly DossierItem[]): string[] =>
    chosen.flatMap(({ bound }) =>
      bound.flatMap(({ algorithm, hex, of: what }) =>
        algorithm === 'sha256' && (held.includes(what) || what === 'imprint') ? [hex] : [],
      ),
    )
  const others = items.filter((_, i) => i !== index)
  return [...new Set([...of(others.filter(near)), ...of(others.filter((item) => !near(item)))])].slice(0, mostTried)
}

/** What the log was given: digest of `logged.bin` (decision 0282), a root, or whatever else is here that the salt leads from. */
function logPartner(index: number, items: readonly DossierItem[], proof: Uint8Array, now: Date): Partner | undefined {
  const included = (hex: string): boolean =>
    examineLogProof({ proof, root: fromHex(hex) }, { keys: undefined, now }).checks.some(
      ({ id, status }) => id === 'inclusion' && status === 'passed',
    )
  const digest = digestsBeside(index, items).find(included)
  if (digest !== undefined) {
    const file = items.findIndex(({ bound }) => bound.some(({ of, hex }) => of === 'file' && hex === digest))
    return { digest, ...(file < 0 ? {} : { file }), exact: true, bound: [] }
  }
  const place = placeOf(items[index]?.name ?? '')
  const file = items.findIndex(({ name, size }) => placeOf(name) === place && baseOf(name) === 'logged.bin' && size === 64)
  const own = items[file]?.bound.find(({ of, algorithm }) => of === 'file' && algorithm === 'sha256')
  return own === undefined ? undefined : { digest: own.hex, file, exact: false, bound: [] }
}

function expected(index: number, items: readonly DossierItem[], imprint: Bound): Partner | undefined {
  const item = items[index]
  if (item === undefined) return undefined
  const digestOf = (i: number | undefined): Partner | undefined => {
    const own =
      i === undefined ? undefined : items[i]?.bound.find(({ of, algorithm }) => of === 'file' && algorithm === imprint.algorithm)
    return i === undefined || own === undefined ? undefined : { digest: own.hex, file: i, exact: false, bound: [] }
  }
  const others = [...items.entries()].filter(([i, { result }]) => i !== index && result.form !== 'certificates')
  if (baseOf(item.name) === 'signature.p7s') {
    const beside = others.find(([, { name }]) => placeOf(name) === placeOf(item.name) && baseOf(name) === 'root.bin')
    if (beside !== undefined) return digestOf(beside[0])
  }
  // Proofs of one file have its stem in common; none of them is the file, unless another is named after it as a whole.
  const named = others.filter(
    ([, { name, kind }]) => isNamedAfter(item.name, name) && (stemOf(item.name) === name || !alwaysProofs.includes(kind)),
  )
  if (named.length > 0) return named.length === 1 ? digestOf(named[0]?.[0]) : undefined
  const missing = leaves(items)
  return missing.size === 1 && missing.has(nameOf(imprint)) ? digestOf(onlyLeft(items)) : undefined
}

/**
 * Digests of files that proofs here are over, and that nothing here has. One that `root.bin` holds may be a root instead, unless an
 * evidence record or the record of a deposit says that it is that of a file.
 */
function leaves(items: readonly DossierItem[]): Set<string> {
  const those = (chosen: (item: DossierItem, bound: Bound) => boolean): Set<string> =>
    new Set(items.flatMap((item) => item.bound.filter((bound) => chosen(item, bound)).map(nameOf)))
  const here = those((_, { of }) => of === 'file' || of === 'root')
  const held = those((_, { of }) => of === 'digest')
  // What a record states are digests of one file: the first stands for all.
  const isFirst = ({ bound }: DossierItem, each: Bound): boolean => bound.find(({ of }) => of === 'stated') === each
  const certain = those((item, each) => isFirst(item, each) || (each.of === 'imprint' && item.kind === 'evidence_record'))
  const spoken = those((item, each) => each.of === 'imprint' || isFirst(item, each))
  return new Set([...spoken].filter((each) => !here.has(each) && (certain.has(each) || !held.has(each))))
}

const nameOf = ({ algorithm, hex }: Bound): string => `${algorithm} ${hex}`

/** The only file that no proof here is about: a document of somebody's, or, where there is none, a `root.bin` that is not the root. */
function onlyLeft(items: readonly DossierItem[]): number | undefined {
  const left = leftOver(items)
  const documents = left.filter((i) => !isCompanion(items[i]?.name ?? ''))
  const chosen = documents.length === 0 ? left.filter((i) => baseOf(items[i]?.name ?? '') === 'root.bin') : documents
  return chosen.length === 1 ? chosen[0] : undefined
}

/** Files that no proof here is about, by their places among the items; not what proofs came in. */
function leftOver(items: readonly DossierItem[]): number[] {
  const spoken = spokenOf(items)
  const left = [...items.entries()].filter(
    ([i, item]) =>
      (item.result.form === 'document' || (item.kind === 'pdf' && !isCertificate(item, items))) &&
      !spoken.has(i) &&
      !items.some((other) => other.result.form === 'proof' && other.name.startsWith(`${item.name}/`)),
  )
  return left.map(([i]) => i)
}

/** Whatever a proof here is about, by its place among the items: its octets, or the digest that they are. */
export function spokenOf(items: readonly DossierItem[]): Set<number> {
  const spoken = new Set(items.flatMap(({ bound }) => bound.flatMap((each) => (isSpoken(each) ? [nameOf(each)] : []))))
  const is = ({ bound }: DossierItem): boolean =>
    bound.some((each) => (each.of === 'file' || each.of === 'digest') && spoken.has(nameOf(each)))
  return new Set([...items.entries()].flatMap(([i, item]) => (is(item) ? [i] : [])))
}

const isSpoken = ({ of }: Bound): boolean => of === 'imprint' || of === 'root' || of === 'message'

/** Signed, with the record of a deposit attached to it, or to the one in the other language beside it: what both hold is opened once. */
function isCertificate({ name, result }: DossierItem, items: readonly DossierItem[]): boolean {
  const holds = (pdf: string): boolean => items.some((other) => other.name === `${pdf}/deposit.json`)
  return (
    holds(name) ||
    (result.form === 'proof' &&
      isOfDeposit(name) &&
      items.some((other) => other.kind === 'pdf' && placeOf(other.name) === placeOf(name) && holds(other.name)))
  )
}

/** `contract.pdf.ots` and `contract.tsr` are named after `contract.pdf`. */
function isNamedAfter(proof: string, file: string): boolean {
  if (proof === file) return false
  return stemOf(proof) === file || stemOf(proof) === stemOf(file)
}

export function stemOf(name: string): string {
  return name.replace(/(?:\.chainpoint)?\.[^./]*$/, '')
}
