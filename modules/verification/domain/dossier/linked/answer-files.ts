import { isCompanion } from '../dropped/companions.ts'
import type { DossierItem } from '../dropped/item.ts'
import { placeOf } from '../dropped/open-containers.ts'
import type { Bound, ProvenDate } from '../../report/proof-report.ts'
import type { ItemKind } from '../../recognise/recognise.ts'
import type { Verdict } from '../../report/verdict.ts'

export type ProofOfFile = {
  readonly name: string
  readonly kind: ItemKind
  readonly verdict: Verdict
  /** False: it should be about the file, and is about other octets. */
  readonly matches: boolean
}

/** Of one file, what everything that was given with it proves together. */
export type FileAnswer = {
  readonly name: string
  /** Lower-case hexadecimal. */
  readonly sha256: string
  readonly verdict: Verdict
  /** Earliest first. */
  readonly dates: readonly ProvenDate[]
  readonly proofs: readonly ProofOfFile[]
}

const mostProofs = 100
const mostDates = 20

/**
 * The answers on the files that proofs here are about, or should be. A proof is about a file directly, or over a tree whose root an
 * evidence record leads to, or by the octets of that root: a signature over `root.bin`, an entry of the log over `logged.bin`.
 * @param meant item of the file by that of the proof, of proofs that were compared with a file that they are not about
 */
export function answersOf(items: readonly DossierItem[], meant: ReadonlyMap<number, number>): FileAnswer[] {
  const about = new Set(items.flatMap(({ bound }) => bound.flatMap((each) => (isCommitment(each) ? [nameOf(each)] : []))))
  const files = [...new Set(meant.values())]
  return [...items.entries()].flatMap(([i, item]) => {
    const spoken = item.bound.some((each) => each.of === 'file' && about.has(nameOf(each)))
    if (!files.includes(i) && (!spoken || isBeside(item, items))) return []
    return answerOf(i, items, meant) ?? []
  })
}

/** What came with proofs is part of them: nobody asks since when `root.bin` exists. */
function isBeside({ name }: DossierItem, items: readonly DossierItem[]): boolean {
  const place = placeOf(name)
  return isCompanion(name) && items.some((other) => other.result.form === 'proof' && placeOf(other.name) === place)
}

function answerOf(index: number, items: readonly DossierItem[], meant: ReadonlyMap<number, number>): FileAnswer | undefined {
  const file = items[index]
  const own = file?.bound.find(({ of, algorithm }) => of === 'file' && algorithm === 'sha256')
  if (file === undefined || own === undefined) return undefined
  const reached = reach(index, items)
  const missed = new Set(
    [...meant].flatMap(([i, about]) => (about === index ? (items[i]?.bound.filter(isCommitment).map(nameOf) ?? []) : [])),
  )
  const proofs: { item: DossierItem; matches: boolean }[] = []
  for (const [i, item] of items.entries()) {
    if (i === index) continue
    if (meant.get(i) === index) proofs.push({ item, matches: false })
    else if (item.result.form === 'proof' && item.bound.some((each) => isCommitment(each) && reached.has(nameOf(each))))
      proofs.push({ item, matches: true })
    else {
      // The record states it; whoever signed the certificate that it is attached to says so.
      const stated = item.bound.filter(({ of }) => of === 'stated').map(nameOf)
      const matches = stated.some((each) => reached.has(each))
      const isMeant = matches || stated.some((each) => missed.has(each))
      const certificate = isMeant
        ? items.find((each) => each.name === placeOf(item.name) && each.result.form === 'proof')
        : undefined
      if (certificate !== undefined) proofs.push({ item: certificate, matches })
    }
  }
  if (proofs.length === 0) return undefined
  const dates = proofs
    .flatMap(({ item: { result, kind }, matches }) =>
      matches && result.form === 'proof' && kind !== 'pdf' ? result.report.dates : [],
    )
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
  const distinct = dates.filter((date, i) => i === 0 || date.at !== dates[i - 1]?.at || date.by !== dates[i - 1]?.by)
  return {
    name: file.name,
    sha256: own.hex,
    verdict: verdictOn(proofs),
    dates: distinct.slice(0, mostDates),
    proofs: proofs.slice(0, mostProofs).map(({ item, matches }) => ({
      name: item.name,
      kind: item.kind,
      verdict: verdictIn(item),
      matches,
    })),
  }
}

/** A promise that the chain is still to keep adds to what holds without it. */
function verdictOn(proofs: readonly { item: DossierItem; matches: boolean }[]): Verdict {
  const verdicts = proofs.map(({ item, matches }) => (matches ? verdictIn(item) : 'TOTAL-FAILED'))
  if (verdicts.includes('TOTAL-FAILED')) return 'TOTAL-FAILED'
  const open = proofs.some(({ item }) => verdictIn(item) === 'INDETERMINATE' && !isPromise(item))
  return open || !verdicts.includes('TOTAL-PASSED') ? 'INDETERMINATE' : 'TOTAL-PASSED'
}

const verdictIn = ({ result }: DossierItem): Verdict =>
  (result.form === 'proof' ? result.report.verdict : undefined) ?? 'INDETERMINATE'

/** Nothing is open in it but what calendars promised to bring into the chain. */
function isPromise({ result }: DossierItem): boolean {
  return (
    result.form === 'proof' &&
    result.report.checks.every(({ status, supplementary, data }) =>
      status === 'passed' || supplementary === true ? true : status === 'indeterminate' && data['reason'] === 'pending',
    )
  )
}

/** Digests that follow from those of the file: roots of its evidence records, and of the files that hold them. */
function reach(index: number, items: readonly DossierItem[]): Set<string> {
  const reached = new Set(items[index]?.bound.flatMap((each) => (each.of === 'file' ? [nameOf(each)] : [])))
  for (let before = -1; before < reached.size;) {
    before = reached.size
    for (const { kind, bound } of items) {
      const is = (of: Bound['of']): boolean => bound.some((each) => each.of === of && reached.has(nameOf(each)))
      const next = kind === 'evidence_record' && is('imprint') ? 'root' : is('digest') ? 'file' : undefined
      for (const each of bound) if (each.of === next) reached.add(nameOf(each))
    }
  }
  return reached
}

function isCommitment({ of }: Bound): boolean {
  return of === 'imprint' || of === 'root' || of === 'message'
}

const nameOf = ({ algorithm, hex }: Bound): string => `${algorithm} ${hex}`
