import { route, signedIn, type Route } from '../../../platform/http/route.ts'
import * as contract from '../contract/account-endpoints.ts'
import { assignEvidence } from './own/claim-evidence.ts'
import { agreeEvidence } from './draft/agree-evidence.ts'
import { rejectEvidence } from './draft/decide-evidence.ts'
import type { EvidenceWebDeps } from './record/deps.ts'
import { listMakers } from './list/list-makers.ts'
import { storeEvidence } from './keep/keep-files.ts'
import { presentEvidence } from './present/present-evidence.ts'
import { findReachable } from './own/reach-store.ts'
import { readFigures } from '../../../platform/lists/read-figures.ts'
import { changeMany, labelEvidence, restoreEvidence, trashEvidence } from './trash/trash-evidence.ts'

export function accountRoutes(deps: EvidenceWebDeps): Route[] {
  return [
    route(contract.assignToUser, async ({ params, actor }) => ({
      evidences: await assignEvidence(deps, signedIn(actor), params.evidence_token),
    })),
    route(contract.changeEvidence, async ({ params: { id }, body, ...caller }) => {
      const { label, status, trashed, store } = body
      // What can be refused comes before what cannot: a call that fails has changed nothing.
      if (status === 'finalizing') await agreeEvidence(deps, caller, id)
      if (status === 'rejected') await rejectEvidence(deps, caller, id)
      if (trashed !== undefined) await (trashed ? trashEvidence : restoreEvidence)(deps, caller, id)
      if (store !== undefined) await storeEvidence(deps, caller, id, store)
      if (label !== undefined) await labelEvidence(deps, caller, id, label)
      return await presentEvidence(deps, caller, await findReachable(deps.db, caller, id))
    }),
    route(contract.changeEvidences, async ({ body, ...caller }) => ({ results: await changeMany(deps, caller, body) })),
    route(contract.listMakers, async ({ actor }) => ({ makers: await listMakers(deps, signedIn(actor)) })),
    route(contract.readEvidenceStats, async ({ actor }) => await readFigures(deps, 'evidence', signedIn(actor))),
  ]
}
