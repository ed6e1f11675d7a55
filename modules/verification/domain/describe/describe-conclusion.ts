import { concludeItem } from '../dossier/concluded/conclude.ts'
import type { Conclusion, Missing, Signer } from '../dossier/concluded/conclude.ts'
import { describeCheck, nameOfAuthority, visible } from './describe-check.ts'
import type { Words } from './describe-check.ts'
import { describeReliance, wordsOf } from './describe-proof.ts'
import type { Dossier } from '../dossier/dossier.ts'
import type { DossierItem } from '../dossier/dropped/item.ts'

/** A conclusion in plain words, the same on the page, in `verify.html`, on the command line and in the minutes. */
export type ConclusionSaid = {
  readonly colour: Conclusion['colour']
  readonly title: string
  /** First part: whether it is intact, and what is proven. */
  readonly intact: string
  /** How many of the files a proof is about; empty where none was given beside proofs. */
  readonly files: string
  /** What is missing, or was expected and is not here. */
  readonly missing: readonly string[]
  /** Second part: on whose word. */
  readonly word: readonly string[]
  /** The same in the words of the standard; empty where it has none. */
  readonly detail: string
}

const mostLines = 20

/** Of everything that was given together. */
export function describeDossier(dossier: Dossier, words: Words): ConclusionSaid {
  const [only] = dossier.items
  const alone = dossier.items.length === 1 && dossier.many === null
  return describe(dossier.conclusion, alone ? only : undefined, words)
}

/** Of one item among others, by itself. */
export function describeItem(item: DossierItem, words: Words): ConclusionSaid {
  return describe(concludeItem(item), item, words)
}

/** @param item the only one that it is of */
function describe(conclusion: Conclusion, item: DossierItem | undefined, words: Words): ConclusionSaid {
  const { colour, finding, files, missing, missing_count: count, unmatched, verdict } = conclusion
  const say = (id: string, values: Readonly<Record<string, string | number>> = {}): string =>
    words.format(`verification.conclusion.${id}`, values)
  const isNone = finding === 'not_a_proof'
  const isBroken = isNone && item !== undefined && 'report' in item.result
  const kind = item === undefined ? '' : words.format(`verification.kind.${item.kind}`, {})
  const lines = missing.slice(0, mostLines).map((each) => missingLine(each, item !== undefined, words))
  return {
    colour,
    title: isBroken ? say('broken', { kind }) : say(colour),
    intact: [isBroken ? say('broken.why') : say(`${colour}.why`), ...remarksOn(item, words)].join(' '),
    files: isNone || files.given < 2 ? '' : say('files', files),
    missing: [
      ...unmatched.map((sha256) => say('unmatched', { sha256 })),
      ...(colour === 'green' ? [] : lines),
      ...(count > lines.length ? [words.format('verification.minutes.not_shown', { count: count - lines.length })] : []),
    ],
    word: isNone || finding === 'contradicted' ? [] : wordLines(conclusion, words),
    detail: verdict === null ? '' : say('detail', { verdict }),
  }
}

/** That the container was made anew: a remark, which neither proves nor contradicts. */
function remarksOn(item: DossierItem | undefined, words: Words): string[] {
  if (item?.result.form !== 'package') return []
  const remade = item.result.report.checks.filter(({ data }) => data['remade'] === 'yes')
  return remade.map((check) => describeCheck(check, words).sentence)
}

function missingLine(missing: Missing, isAlone: boolean, words: Words): string {
  const { what, item, check, name = '', count = 0 } = missing
  if (what === 'left_out') return words.format('verification.dossier.left_out', { count })
  const named = visible(item)
  const said = words.format('verification.conclusion.missing', {
    what,
    item: named,
    name: nameOfAuthority(name, words),
    title: check === undefined ? '' : titleOf(check, words),
  })
  return isAlone || item === '' || what === 'unproven' || what === 'unread' ? said : `${named} – ${said}`
}

function titleOf({ kind, id, subject }: NonNullable<Missing['check']>, words: Words): string {
  const found = kind === 'package' ? `verification.check.${id}.title` : wordsOf(kind, `${id}.title`, words)
  const title = found === undefined ? id : words.format(found, { subject: visible(subject) })
  return subject === '' || title.includes(subject) ? title : `${title} (${visible(subject)})`
}

/** Those that a sentence about a signer says already. */
const ofSigners: readonly string[] = ['certificate_authority', 'time_authority', 'trusted_list', 'given']

function wordLines({ word }: Conclusion, words: Words): string[] {
  const others = word.rests_on.filter((each) => word.signers.length === 0 || !ofSigners.includes(each))
  return [
    ...word.signers.slice(0, mostLines).map((each) => signerLine(each, words)),
    ...(word.signers.length > 0 && others.length === 0 ? [] : describeReliance(others, words)),
  ]
}

function signerLine({ role, name, sha256, basis }: Signer, words: Words): string {
  return words.format('verification.conclusion.signer', {
    role,
    basis,
    name: nameOfAuthority(name, words),
    sha256,
    has: sha256 === '' ? 'no' : 'yes',
  })
}
