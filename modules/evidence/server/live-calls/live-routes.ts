import { route, type Route } from '../../../../platform/http/route.ts'
import { liveCalls as contract, type WitnessRecord } from '../../../live/server/index.ts'
import * as calls from '../../contract/session-calls.ts'
import type { EvidenceState } from '../../contract/endpoints.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { presentLive, presentPhase } from '../present/present-evidence.ts'
import type { Caller } from '../own/reach-store.ts'
import type { EvidenceRecord } from '../record/store.ts'
import { callLive } from './call-live.ts'
import { createHandOff, takeHandOff } from './hand-off.ts'
import { inviteWitness, revokeWitness, witnessesOf } from './invite-witness.ts'
import { ticketForHolder, ticketForWitness } from './join-session.ts'

export async function presentState(deps: EvidenceWebDeps, record: EvidenceRecord): Promise<EvidenceState> {
  return {
    id: record.id,
    status: record.status,
    phase: await presentPhase(deps, record),
    live: await presentLive(deps, record),
  }
}

function presentWitness(witness: WitnessRecord): contract.LiveWitness {
  return {
    id: witness.id,
    label: witness.label,
    created_at: witness.createdAt.toISOString(),
    revoked_at: witness.revokedAt?.toISOString() ?? null,
  }
}

export function liveRoutes(deps: EvidenceWebDeps): Route[] {
  const withTwin = [
    [calls.viewportScreenshot, 'viewport_screenshot'],
    [calls.fullPageScreenshot, 'full_page_screenshot'],
    [calls.quitInteractivity, 'quit_interactivity'],
  ] as const
  return [
    route(contract.liveTicket, async ({ params, body, ...caller }) => {
      const { ticket, expiresAt } = await ticketForHolder(deps, caller, params.id, body.role)
      return { ticket, expires_at: expiresAt.toISOString() }
    }),
    route(contract.witnessTicket, async ({ body }) => {
      const { ticket, expiresAt, witness } = await ticketForWitness(deps, body.token)
      return { ticket, expires_at: expiresAt.toISOString(), evidence_id: witness.evidenceId, label: witness.label }
    }),
    route(calls.pasteText, async ({ params, body, ...caller }) => {
      return await presentState(deps, await callLive(deps, caller, params.id, { name: 'paste', ...body }))
    }),
    ...withTwin.flatMap(([{ get, post }, name]) => {
      const call = async (id: string, caller: Caller) => await presentState(deps, await callLive(deps, caller, id, { name }))
      return [
        route(get, async ({ params, ...caller }) => await call(params.id, caller)),
        route(post, async ({ params, ...caller }) => await call(params.id, caller)),
      ]
    }),
    route(contract.createHandOff, async ({ params, body, ...caller }) => {
      const { code, expiresAt } = await createHandOff(deps, caller, params.id, body.sealed_token)
      return { code, expires_at: expiresAt.toISOString() }
    }),
    route(contract.takeHandOff, async ({ params }) => {
      const { evidenceId, sealedToken } = await takeHandOff(deps, params.code)
      return { evidence_id: evidenceId, sealed_token: sealedToken }
    }),
    route(contract.inviteWitness, async ({ params, body, ...caller }) => {
      const { witness, token } = await inviteWitness(deps, caller, params.id, body.label)
      return { witness: presentWitness(witness), token }
    }),
    route(contract.listWitnesses, async ({ params, ...caller }) => ({
      witnesses: (await witnessesOf(deps, caller, params.id)).map(presentWitness),
    })),
    route(contract.revokeWitness, async ({ params, ...caller }) =>
      presentWitness(await revokeWitness(deps, caller, params.id, params.witness)),
    ),
  ]
}
