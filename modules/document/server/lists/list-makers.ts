import type { Actor } from '../../../../kernel/actor.ts'
import { listMakersOf } from '../../../../platform/lists/list-makers.ts'
import type { Maker } from '../../../../platform/lists/maker-store.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'

/** By whom a list may be filtered. */
export async function listMakers({ db }: Pick<DocumentWebDeps, 'db'>, actor: Actor): Promise<Maker[]> {
  return await listMakersOf(db, 'document', ['document.deposited', 'document.deposited_many'], actor)
}
