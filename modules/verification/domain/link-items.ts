import type { DossierItem } from './dossier.ts'
import type { Bound, DigestAlgorithm } from './proof.ts'

/**
 * `over`: `from` commits to the very octets of `to`. `digest`: it commits to the digest that is all that `to` holds. `seals`: it commits to
 * the root of the package `to`; `tree`: to that of the hash tree of the evidence record `to`. `piece`: `from` is one of the entries of `to`. `same`: both commit to one digest of something that is not here.
 */
export type Link = {
  readonly from: number
  readonly to: number
  readonly relation: 'over' | 'digest' | 'seals' | 'tree' | 'piece' | 'same'
  readonly algorithm: DigestAlgorithm
  readonly hex: string
}

const commitments: readonly Bound['of'][] = ['imprint', 'root', 'message']
const mostLinks = 2_000

/** Items that share a digest, by what each of them has it for. */
export function linksOf(items: readonly DossierItem[]): Link[] {
  const holders = new Map<string, { index: number; of: Bound['of'] }[]>()
  for (const [index, { bound }] of items.entries()) {
    for (const { algorithm, hex, of } of bound) {
      const key = `${algorithm}:${hex}`
      const held = holders.get(key) ?? []
      if (held.length < 64 && !held.some((each) => each.index === index && each.of === of)) held.push({ index, of })
      holders.set(key, held)
    }
  }
  const links: Link[] = []
  const known = new Set<string>()
  for (const [key, held] of holders) {
    const [algorithm, hex] = key.split(':') as [DigestAlgorithm, string]
    for (const from of held) {
      for (const to of held) {
        const found = from.index === to.index ? undefined : relationOf(from, to)
        const relation = found === 'seals' && items[to.index]?.kind === 'evidence_record' ? 'tree' : found
        const name = `${from.index} ${to.index} ${relation}`
        if (relation === undefined || known.has(name) || links.length === mostLinks) continue
        known.add(name)
        links.push({ from: from.index, to: to.index, relation, algorithm, hex })
      }
    }
  }
  return links
}

type Holder = { readonly index: number; readonly of: Bound['of'] }

function relationOf(from: Holder, to: Holder): Link['relation'] | undefined {
  if (commitments.includes(from.of) && to.of === 'file') return 'over'
  if (from.of === 'imprint' && to.of === 'digest') return 'digest'
  if ((from.of === 'imprint' || from.of === 'message') && to.of === 'root') return 'seals'
  if (from.of === 'file' && to.of === 'entry') return 'piece'
  return from.of === 'imprint' && to.of === 'imprint' && from.index < to.index ? 'same' : undefined
}

/** Items that nothing here is linked to, when there are several. */
export function unlinked(items: readonly DossierItem[], links: readonly Link[]): number[] {
  if (items.length < 2) return []
  return [...items.keys()].filter((i) => !links.some(({ from, to }) => from === i || to === i))
}

/**
 * The digest of the file that a proof is about: the one that it commits to, else the one that its name says it belongs to, else the
 * only document there is when there is but one thing to prove. Undefined when there is nothing to compare it with.
 */
export function partnerOf(index: number, items: readonly DossierItem[]): Bound | undefined {
  const item = items[index]
  const imprints = item?.bound.filter(({ of }) => of === 'imprint') ?? []
  if (item === undefined || imprints.length === 0) return undefined
  const others = items.filter((_, i) => i !== index)
  for (const imprint of imprints) {
    for (const { bound } of others) {
      const match = bound.find(
        ({ of, algorithm, hex }) =>
          (of === 'file' || of === 'root' || of === 'digest') && algorithm === imprint.algorithm && hex === imprint.hex,
      )
      if (match !== undefined) return match
    }
  }
  const documents = others.filter(({ result }) => result.form === 'document')
  const named = others.filter(({ name, result }) => result.form !== 'certificates' && isNamedAfter(item.name, name))
  // One file and proofs of one thing: that file is what they should be about, whatever its name.
  const things = new Set(
    items.flatMap(({ bound }) => bound.flatMap(({ of, algorithm, hex }) => (of === 'imprint' ? [`${algorithm} ${hex}`] : []))),
  )
  const only = documents.length === 1 && things.size === 1 ? documents[0] : undefined
  const expected = named.length === 1 ? named[0] : named.length === 0 ? only : undefined
  return expected?.bound.find(({ of, algorithm }) => of === 'file' && algorithm === imprints[0]?.algorithm)
}

/** `contract.pdf.ots` and `contract.tsr` are named after `contract.pdf`. */
function isNamedAfter(proof: string, file: string): boolean {
  if (proof === file) return false
  const stem = (name: string): string => name.replace(/\.[^./]*$/, '')
  return stem(proof) === file || stem(proof) === stem(file)
}
