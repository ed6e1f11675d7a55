import { findDelegation } from '../../../modules/account/server/index.ts'
import { askForViewer } from '../../../modules/evidence/server/index.ts'
import { createRecall, findKeyInForce } from '../../../modules/identity/server/index.ts'
import type { ViewerRights } from '../../../modules/live/server/index.ts'
import type { FindDelegation, FindKey } from '../../../kernel/actor.ts'
import type { Admissions } from '../../../platform/admission/admissions.ts'
import type { RoleDeps } from './role.ts'

/** What account keeps of who may act for whom. */
export function delegationsOf({ db }: Pick<RoleDeps, 'db'>): FindDelegation {
  return async (id, userId, now) => await findDelegation(db, id, userId, now)
}

/** What identity keeps of the keys of programs. */
export function keysOf({ db }: Pick<RoleDeps, 'db'>): FindKey {
  return async (id, userId, now) => await findKeyInForce(db, id, userId, now)
}

/** What both ends of a viewer's connection ask, each for itself: the web process that takes it, and the one that has the session. */
export function viewerRights({ db, clock }: Pick<RoleDeps, 'db' | 'clock'>, admissions: Admissions): ViewerRights {
  const known = { db, clock, findDelegation: delegationsOf({ db }) }
  const asked = { ...known, recall: createRecall(known) }
  return { db, clock, admissions, ask: async (id, ground) => await askForViewer(asked, id, ground) }
}
