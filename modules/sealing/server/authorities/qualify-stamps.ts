import { setImmediate as pause } from 'node:timers/promises'
import { qualifiedOf, type StampQualification } from '../../../../kernel/stamp-qualification.ts'
import type { TrustedLists } from '../../../verification/server/index.ts'
import type { TimestampFacts } from '../../domain/seal.ts'
import { qualifyToken, type TokenQualification } from './qualify-token.ts'

type Stamp = Pick<TimestampFacts, 'file' | 'ca_file' | 'gen_time' | 'embedded'>

/** What was dated, by its id, and the time stamps of its seal. */
export type Dated = { readonly id: string; readonly timestamps: readonly Stamp[] }

/** Of a file with its time stamp or the certificates of that, by what was dated and its name. */
export const stampKey = (id: string, file: string): string => `${id} ${file}`

/** By the keys of time stamps; one that was not looked at is absent. */
export type Qualifications = ReadonlyMap<string, TokenQualification['state']>

/** What the trusted lists say of time stamps from outside the installation, of seals that are shown together. */
export type StampQualifier = (dated: readonly Dated[]) => Promise<Qualifications>

/** Answers that are kept. */
const most = 20_000

/**
 * Asks the lists of each token once: it never changes, and neither do lists that were read, so that an answer holds for as long as these lists
 * stand. Tokens are read for those alone that are not known.
 */
export function createStampQualifier({
  lists,
  read,
}: {
  /** The same object for as long as they are the same lists. */
  readonly lists: () => Promise<TrustedLists>
  /** The files of seals with these ids, by `stampKey`; what cannot be had is absent. */
  readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>
}): StampQualifier {
  let known: { readonly lists: TrustedLists; readonly answers: Map<string, TokenQualification['state']> } | null = null
  return async (dated) => {
    const current = await lists()
    known = known?.lists === current ? known : { lists: current, answers: new Map() }
    const { answers } = known
    const stamps = dated.flatMap(({ id, timestamps }) =>
      timestamps.flatMap((stamp) => (stamp.embedded ? [] : [{ ...stamp, id, key: stampKey(id, stamp.file) }])),
    )
    const open = stamps.filter(({ key }) => !answers.has(key))
    const files = open.length === 0 ? new Map<string, Uint8Array>() : await read([...new Set(open.map(({ id }) => id))])
    for (const { key, id, ca_file: caFile, gen_time: genTime } of open) {
      const response = files.get(key)
      const issuers = files.get(stampKey(id, caFile))
      if (response === undefined || issuers === undefined) continue
      answers.set(key, qualifyToken({ response, issuers, genTime: new Date(genTime) }, current).state)
      // Signatures are verified: other calls go on in between.
      await pause()
    }
    const found = new Map(
      stamps.flatMap(({ key }) => {
        const answer = answers.get(key)
        return answer === undefined ? [] : [[key, answer] as const]
      }),
    )
    for (const oldest of answers.keys()) {
      if (answers.size <= most) break
      answers.delete(oldest)
    }
    return found
  }
}

/** What is said of one: of the operator's own authority, which is in no list, it is known without looking. */
export function qualificationOf(
  qualifications: Qualifications,
  id: string,
  { file, embedded }: Pick<Stamp, 'file' | 'embedded'>,
): { readonly qualified: boolean | null; readonly qualification: StampQualification } {
  const qualification = embedded ? 'not_qualified' : (qualifications.get(stampKey(id, file)) ?? 'not_measured')
  return { qualified: qualifiedOf[qualification], qualification }
}
