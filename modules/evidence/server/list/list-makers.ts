import type { Actor } from '../../../../kernel/actor.ts'
import { listMakersOf } from '../../../../platform/lists/list-makers.ts'
import type { Maker } from '../../../../platform/lists/maker-store.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'

/** By whom a list may be filtered. */
export async function listMakers({ db }: Pick<EvidenceWebDeps, 'db'>, actor: Actor): Promise<Maker[]> {
  return await listMakersOf(db, 'evidence', ['evidence.created'], actor)
}
