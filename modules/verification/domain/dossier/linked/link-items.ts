import { isPlain } from '../dropped/companions.ts'
import type { DossierItem } from '../dropped/item.ts'
import { placeOf } from '../dropped/open-containers.ts'
import type { Bound } from '../../report/proof-report.ts'
import type { DigestAlgorithm } from '../../hash/digests.ts'

/**
 * `over`: `from` commits to the very octets of `to`. `digest`: it commits to the digest that is all that `to` holds. `seals`: it commits to
 * the root of the package `to`; `tree`: to that of the hash tree of the evidence record `to`. `states`: it names the digest of `to`. `piece`: `from` is one of the entries of `to`. `same`: both commit to one digest of something that is not here.
 */
export type Link = {
  readonly from: number
  readonly to: number
  readonly relation: 'over' | 'digest' | 'seals' | 'tree' | 'states' | 'piece' | 'same'
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
    const isHere = held.some(({ of }) => of === 'file')
    for (const from of held) {
      for (const to of held) {
        const found = from.index === to.index ? undefined : relationOf(from, to, isHere)
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

/** @param isHere the file itself is: then who holds its digest, or is over it too, says nothing more. */
function relationOf(from: Holder, to: Holder, isHere: boolean): Link['relation'] | undefined {
  if (commitments.includes(from.of) && to.of === 'file') return 'over'
  if (from.of === 'imprint' && to.of === 'digest') return isHere ? undefined : 'digest'
  if ((from.of === 'imprint' || from.of === 'message') && to.of === 'root') return 'seals'
  if (from.of === 'stated' && to.of === 'file') return 'states'
  if (from.of === 'file' && to.of === 'entry') return 'piece'
  return from.of === 'imprint' && to.of === 'imprint' && !isHere && from.index < to.index ? 'same' : undefined
}

/** Items that nothing here is linked to, when there are several; not what came with proofs, nor what they came in. */
export function unlinked(items: readonly DossierItem[], links: readonly Link[]): number[] {
  if (items.length < 2) return []
  const linked = new Set(links.flatMap(({ from, to }) => [from, to]))
  const holding = new Set([...linked].flatMap((i) => placesOf(items[i]?.name ?? '')))
  return [...items.entries()].flatMap(([i, { name }]) =>
    linked.has(i) || holding.has(name) || (isPlain(name) && holding.has(placeOf(name))) ? [] : [i],
  )
}

/** `a/b/c` lies in `a/b`, in `a` and where everything does. */
function placesOf(path: string): string[] {
  const places: string[] = []
  for (let place = placeOf(path); places.length < 32; place = placeOf(place)) {
    places.push(place)
    if (place === '') break
  }
  return places
}
