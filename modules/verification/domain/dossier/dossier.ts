import type { FileAnswer } from './linked/answer-files.ts'
import { conclude, partsOf } from './concluded/conclude.ts'
import type { Conclusion } from './concluded/conclude.ts'
import type { DossierFile, DossierUnit } from './dropped/dossier-units.ts'
import { dossierUnits } from './dropped/dossier-units.ts'
import type { Link } from './linked/link-items.ts'
import { openContainer } from './dropped/open-containers.ts'
import { platformKeysOf } from '../known/published-keys.ts'
import type { DossierItem } from './dropped/item.ts'
import { givenKeys, givenLists } from './dropped/read-given.ts'
import { recogniseFile } from '../recognise/recognise-file.ts'
import type { ItemKind } from '../recognise/recognise.ts'
import type { Verdict } from '../report/verdict.ts'
import { withGivenLists } from '../trusted-list/given-lists.ts'
import { verifyMany } from './verify-many.ts'
import type { Tally } from './verify-many.ts'
import { sizeOf, verifyUnits } from './verify-units.ts'
import type { DossierDeps, Progress } from './verify-units.ts'
import { readAnyZip } from '../zip/read-any-zip.ts'

export type Dossier = {
  readonly verified_at: string
  readonly items: readonly DossierItem[]
  readonly links: readonly Link[]
  /** Of each file that the proofs are about, or should be: what they prove together. Those that fail first. */
  readonly answers: readonly FileAnswer[]
  /** Where there were too many to be shown one by one: how they ended. Only those that did not pass are among the items then. */
  readonly many: Tally | null
  /** The one verdict; every surface shows it. */
  readonly conclusion: Conclusion
  /** Of the conclusion, in the words of EN 319 102-1. */
  readonly verdict: Verdict | null
  /** Files that were more than can be looked at, and attachments that were not opened. */
  readonly left_out: number
}

/** More are verified thing by thing, and told of as many. */
const mostItems = 200
/** More files than a reader's browser is asked to look at. */
const mostFiles = 20_000

/**
 * Verifies what was given together, one thing at a time, and finds what speaks about what. Bounded whatever it is given.
 * @throws VerificationStopped when `deps.signal` says so; nothing else on any input.
 */
export async function verifyDossier(files: readonly DossierFile[], deps: DossierDeps): Promise<Dossier> {
  const given = files.slice(0, mostFiles)
  const leftOut = files.length - given.length
  const opened = await openContainers(given, deps)
  if (opened === undefined) return await dossierOfMany(given, leftOut, deps)
  const units = dossierUnits(opened.files)
  const kinds = await kindsOf(units, given, deps, (i, item) => deps.onItem?.(i, item))
  const known = await withGiven(units, kinds, given, deps)
  const { items, links, answers } = await verifyUnits({ units, kinds, several: units.length > 1 }, known, progressOf(units, deps))
  for (const [i, item] of items.entries()) deps.onResult?.(i, item)
  const left = leftOut + opened.left_out
  const conclusion = conclude([partsOf({ items, answers })], { ...deps, left_out: left })
  return {
    verified_at: deps.now().toISOString(),
    items,
    links,
    answers: failedFirst(answers),
    many: null,
    conclusion,
    verdict: conclusion.verdict,
    left_out: left,
  }
}

/** Archives and PDFs, and behind each what is in it; undefined when all of it is too much to be one thing. */
async function openContainers(
  given: readonly DossierFile[],
  deps: DossierDeps,
): Promise<{ files: readonly DossierFile[]; left_out: number } | undefined> {
  const files: DossierFile[] = []
  let leftOut = 0
  // A whole folder of an unpacked package is left as it is.
  const units = dossierUnits(given)
  if (units.length > mostItems) return undefined
  const own = new Set(units.flatMap((unit) => (unit.form === 'file' ? [unit.file] : [])))
  for (const file of given) {
    const opened = own.has(file) ? await openContainer(file, recogniseFile, deps) : { files: [file], left_out: 0 }
    files.push(...opened.files)
    leftOut += opened.left_out
  }
  return dossierUnits(files).length > mostItems ? undefined : { files, left_out: leftOut }
}

async function dossierOfMany(given: readonly DossierFile[], leftOut: number, deps: DossierDeps): Promise<Dossier> {
  const units = dossierUnits(given)
  let told = 0
  const kinds = await kindsOf(units, given, deps)
  const known = await withGiven(units, kinds, given, deps)
  const found = await verifyMany(units, kinds, known, {
    progress: progressOf(units, deps),
    most: mostItems,
    kindOf: recogniseFile,
    onItem: (item) => {
      deps.onItem?.(told, item)
      told += 1
    },
  })
  const left = leftOut + found.left_out
  const conclusion = conclude(found.parts, { ...deps, left_out: left })
  return {
    verified_at: deps.now().toISOString(),
    items: found.items,
    links: found.links,
    answers: failedFirst(found.answers),
    many: found.tally,
    conclusion,
    verdict: conclusion.verdict,
    left_out: left,
  }
}

function failedFirst(answers: readonly FileAnswer[]): FileAnswer[] {
  const order = { 'TOTAL-FAILED': 0, INDETERMINATE: 1, 'TOTAL-PASSED': 2 }
  return answers.toSorted((a, b) => order[a.verdict] - order[b.verdict])
}

async function kindsOf(
  units: readonly DossierUnit[],
  given: readonly DossierFile[],
  deps: DossierDeps,
  onItem?: (index: number, item: { readonly name: string; readonly size: number; readonly kind: ItemKind }) => void,
): Promise<ItemKind[]> {
  const own = new Set(given)
  const kinds: ItemKind[] = []
  for (const [i, unit] of units.entries()) {
    const kind = unit.form === 'folder' ? 'package' : await kindOfUnit(unit.file, own)
    kinds.push(kind)
    onItem?.(i, { name: unit.name, size: sizeOf(unit), kind })
    if (i % 64 === 63) await deps.pause?.()
  }
  return kinds
}

/** With the keys and trusted lists that were given along. */
async function withGiven(
  units: readonly DossierUnit[],
  kinds: readonly ItemKind[],
  given: readonly DossierFile[],
  deps: DossierDeps,
): Promise<DossierDeps> {
  const keys = await givenKeys(units, kinds, given)
  const trustedLists = await withGivenLists(deps.trustedLists, givenLists(units, kinds), deps.now())
  return {
    ...deps,
    ...(keys === undefined ? {} : { keys: platformKeysOf(keys) }),
    ...(trustedLists === undefined ? {} : { trustedLists }),
  }
}

/** Octets of everything: those of a package as it is read, of another file when it is done with. */
function progressOf(units: readonly DossierUnit[], deps: DossierDeps): Progress {
  const total = units.reduce((sum, unit) => sum + sizeOf(unit), 0)
  let done = 0
  let within = 0
  const tell = (): void => deps.onProgress?.(Math.min(total, done + within), total)
  return {
    within: (octets) => {
      within = octets
      tell()
    },
    finished: (octets) => {
      done += octets
      within = 0
      tell()
    },
  }
}

/**
 * What is given by the name of a ZIP file and is none that can be opened is judged as the package it may have been: cut within its first
 * octets, or no container at all. It is unusable then; never a document about which nothing is concluded.
 */
async function kindOfUnit(file: DossierFile, given: ReadonlySet<DossierFile>): Promise<ItemKind> {
  const kind = await recogniseFile(file)
  if ((kind !== 'document' && kind !== 'archive') || !/\.zip$/i.test(file.path) || !given.has(file)) return kind
  try {
    return (await readAnyZip(file)).flaws.some(({ reason }) => reason === 'not_zip' || reason === 'truncated') ? 'package' : kind
  } catch {
    return kind
  }
}
