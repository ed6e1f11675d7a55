import type { FileAnswer } from './linked/answer-files.ts'
import { conclude, partsOf, unprovenParts } from './concluded/conclude.ts'
import type { Parts } from './concluded/conclude.ts'
import { isOfDeposit, readStated } from './dropped/companions.ts'
import type { DossierDeps, Progress, VerifiedUnits } from './verify-units.ts'
import type { DossierItem } from './dropped/item.ts'
import { dossierUnits } from './dropped/dossier-units.ts'
import type { DossierFile, DossierUnit } from './dropped/dossier-units.ts'
import type { Link } from './linked/link-items.ts'
import { baseOf, openContainer, placeOf } from './dropped/open-containers.ts'
import { VerificationStopped } from '../file/readable.ts'
import { stemOf } from './linked/partners.ts'
import type { ItemKind } from '../recognise/recognise.ts'
import { digestsOf, sizeOf, verifyUnits } from './verify-units.ts'

/** What belongs together: an archive of proofs, a certificate, the proofs in one folder or with one stem. */
type Thing = { readonly name: string; readonly units: DossierUnit[]; readonly kinds: ItemKind[] }

type Host = {
  readonly progress: Progress
  /** Items that are kept to be shown. */
  readonly most: number
  readonly kindOf: (file: DossierFile) => Promise<ItemKind>
  readonly onItem: (item: { readonly name: string; readonly size: number; readonly kind: ItemKind }) => void
}

/** How many things were verified, each with what belongs to it. */
export type Tally = { readonly things: number; readonly passed: number; readonly failed: number; readonly indeterminate: number }

export type VerifiedMany = {
  readonly items: readonly DossierItem[]
  readonly links: readonly Link[]
  readonly answers: readonly FileAnswer[]
  readonly tally: Tally
  readonly parts: readonly Parts[]
  readonly left_out: number
}

/**
 * Verifies more than can be shown, thing by thing: each with the files that it is about, which are hashed once. Of what passes the answers
 * are kept, of the rest also the items, as many as can be looked at. @throws VerificationStopped
 */
export async function verifyMany(
  units: readonly DossierUnit[],
  kinds: readonly ItemKind[],
  given: DossierDeps,
  host: Host,
): Promise<VerifiedMany> {
  const deps: DossierDeps = { ...given, computed: new WeakMap() }
  const { things, files, left_out: leftOut } = await sort(units, kinds, deps, host)
  const byDigest = await hashed(files, deps, host.progress)
  const matched = new Set<DossierUnit>()
  const found = (items: readonly DossierItem[]): DossierUnit[] => {
    const wanted = items.flatMap(({ bound }) =>
      bound.flatMap(({ algorithm, hex, of }) => (algorithm === 'sha256' && of === 'imprint' ? [hex] : [])),
    )
    const those = [...new Set(wanted)].flatMap((hex) => byDigest.get(hex) ?? []).slice(0, 16)
    for (const each of those) matched.add(each)
    return those
  }
  const kept = keep(host.most)
  const alone: Thing[] = []
  for (const thing of things) {
    host.onItem({
      name: thing.name,
      size: thing.units.reduce((sum, unit) => sum + sizeOf(unit), 0),
      kind: thing.kinds[0] ?? 'document',
    })
    const verified = await verifyUnits({ ...thing, several: true, found }, deps, host.progress)
    if (isAboutNothing(verified)) alone.push(thing)
    else kept.add(verified)
    await deps.pause?.()
  }
  const left = files.filter((file) => !matched.has(file))
  for (const thing of alone) {
    const meant = await meantFor(thing, left, alone.length)
    const verified = await verifyUnits(
      { ...thing, several: true, ...(meant === undefined ? {} : { found: () => [meant] }) },
      deps,
      host.progress,
    )
    if (meant !== undefined) matched.add(meant)
    kept.add(verified)
  }
  const spare = files.filter((file) => !matched.has(file))
  return { ...(await kept.all(spare, deps, host.progress)), left_out: leftOut }
}

/** Things to be verified, and the files that they may be about. */
async function sort(
  units: readonly DossierUnit[],
  kinds: readonly ItemKind[],
  deps: DossierDeps,
  host: Host,
): Promise<{ things: Thing[]; files: DossierUnit[]; left_out: number }> {
  const things = new Map<string, Thing>()
  const files: DossierUnit[] = []
  let leftOut = 0
  const add = (key: string, unit: DossierUnit, kind: ItemKind): void => {
    let thing = things.get(key) ?? { name: unit.name, units: [], kinds: [] }
    if (thing.units.length >= mostInThing) {
      things.set(`${key} until ${unit.name}`, thing)
      thing = { name: unit.name, units: [], kinds: [] }
    }
    thing.units.push(unit)
    thing.kinds.push(kind)
    things.set(key, thing)
  }
  for (const [i, unit] of units.entries()) {
    const kind = kinds[i] ?? 'document'
    if (kind === 'keys') continue
    if (unit.form === 'folder' || kind === 'package' || kind === 'trusted_list') add(`alone ${i}`, unit, kind)
    else if (kind === 'archive' || kind === 'pdf') {
      const opened = await openContainer(unit.file, host.kindOf, deps)
      const inside = dossierUnits(opened.files.slice(0, mostInThing))
      const those = await Promise.all(
        inside.map(async (each) => (each.form === 'folder' ? 'package' : await host.kindOf(each.file))),
      )
      leftOut += opened.left_out + Math.max(0, opened.files.length - mostInThing)
      const isProofs = those.some((each, k) => k > 0 && each !== 'document' && each !== 'archive' && each !== 'pdf')
      if (isProofs) for (const [k, each] of inside.entries()) add(`alone ${i}`, each, those[k] ?? 'document')
      else {
        files.push(unit)
        // It may be signed as well: then that is a proof of its own.
        if (kind === 'pdf') add(`alone ${i}`, unit, kind)
      }
    } else if (isOfDeposit(unit.name)) add(`place ${placeOf(unit.name)}`, unit, kind)
    else if (kind === 'document') files.push(unit)
    else if (kind !== 'certificates') add(`stem ${stemOf(unit.name)}`, unit, kind)
    if (i % 16 === 15) await deps.pause?.()
  }
  return { things: [...things.values()], files, left_out: leftOut }
}

const mostInThing = 200

async function hashed(
  files: readonly DossierUnit[],
  deps: DossierDeps,
  progress: Progress,
): Promise<Map<string, readonly DossierUnit[]>> {
  const found = new Map<string, DossierUnit[]>()
  for (const unit of files) {
    if (unit.form === 'folder') continue
    let done = 0
    try {
      const { sha256 = '' } = await digestsOf(unit.file, ['sha256'], deps, (count) => progress.within((done += count)))
      found.set(sha256, [...(found.get(sha256) ?? []), unit])
    } catch (error) {
      if (error instanceof VerificationStopped) throw error
      // It cannot be read: said among those that no proof is about.
    }
    progress.finished(sizeOf(unit))
  }
  return found
}

/** Proofs of a file that is not here as it was when they were made. */
function isAboutNothing({ items, answers }: VerifiedUnits): boolean {
  return answers.length === 0 && items.some(({ bound }) => bound.some(({ of }) => of === 'imprint' || of === 'stated'))
}

/** The file by the name that was declared, or that the proofs have; else the only one that is left, of the only proofs that are. */
async function meantFor(thing: Thing, left: readonly DossierUnit[], things: number): Promise<DossierUnit | undefined> {
  const names = new Set<string>()
  for (const unit of thing.units) {
    names.add(stemOf(unit.name))
    if (unit.form === 'folder' || baseOf(unit.name) !== 'deposit.json' || unit.file.size > 1 << 20) continue
    try {
      const declared = readStated(await unit.file.read(0, unit.file.size))?.name
      if (typeof declared === 'string') names.add(declared)
    } catch {
      // One that cannot be read names nothing.
    }
  }
  const named = left.filter(({ name }) => names.has(name) || names.has(baseOf(name)) || names.has(stemOf(name)))
  if (named.length > 0) return named.length === 1 ? named[0] : undefined
  return things === 1 && left.length === 1 ? left[0] : undefined
}

/** Keeps the answers of all, and the items of what did not pass: what failed before what has no conclusion. */
function keep(most: number) {
  const answers: FileAnswer[] = []
  const count = { things: 0, passed: 0, failed: 0, indeterminate: 0 }
  const shown: { readonly failed: VerifiedUnits[]; readonly open: VerifiedUnits[] } = { failed: [], open: [] }
  const sizes = { failed: 0, open: 0 }
  const parts: Parts[] = []
  return {
    add(verified: VerifiedUnits): void {
      answers.push(...verified.answers)
      const own = partsOf(verified)
      parts.push(own)
      const { colour } = conclude([own])
      if (colour === 'grey') return
      count.things += 1
      if (colour === 'green') {
        count.passed += 1
        return
      }
      const which = colour === 'red' ? 'failed' : 'open'
      count[which === 'failed' ? 'failed' : 'indeterminate'] += 1
      if (sizes[which] + verified.items.length > most) return
      sizes[which] += verified.items.length
      shown[which].push(verified)
    },
    /** @param spare files that no proof is about */
    async all(spare: readonly DossierUnit[], deps: DossierDeps, progress: Progress): Promise<Omit<VerifiedMany, 'left_out'>> {
      const items: DossierItem[] = []
      const links: Link[] = []
      const take = (verified: VerifiedUnits): void => {
        const from = items.length
        if (from + verified.items.length > most) return
        items.push(...verified.items)
        links.push(...verified.links.map((link) => ({ ...link, from: link.from + from, to: link.to + from })))
      }
      for (const each of [...shown.failed, ...shown.open]) take(each)
      const units = spare.slice(0, most - items.length)
      take(await verifyUnits({ units, kinds: units.map(() => 'document'), several: true }, deps, progress))
      return { items, links, answers, tally: count, parts: [...parts, unprovenParts(spare.map(({ name }) => name))] }
    },
  }
}
