import { route, type Route } from '../../../../platform/http/route.ts'
import * as contract from '../../contract/live-endpoints.ts'
import type { EvidenceState } from '../../contract/endpoints.ts'
import type { EvidenceWebDeps } from '../deps.ts'
import { presentLive, presentPhase } from '../present-evidence.ts'
import type { EvidenceRecord } from '../store.ts'
import { callLive } from './call-live.ts'
import { createHandOff, takeHandOff } from './hand-off.ts'
import { inviteWitness, revokeWitness, witnessesOf } from './invite-witness.ts'
import { ticketForHolder, ticketForWitness } from './join-session.ts'
import type { WitnessRecord } from './live-store.ts'

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
  const calls = [
    [contract.viewportScreenshot, 'viewport_screenshot'],
    [contract.fullPageScreenshot, 'full_page_screenshot'],
    [contract.quitInteractivity, 'quit_interactivity'],
  ] as const
  return [
    route(contract.liveTicket, async ({ params, body, evidenceToken }) => {
      const { ticket, expiresAt } = await ticketForHolder(deps, { evidenceToken }, params.id, body.role)
      return { ticket, expires_at: expiresAt.toISOString() }
    }),
    route(contract.witnessTicket, async ({ body }) => {
      const { ticket, expiresAt, witness } = await ticketForWitness(deps, body.token)
      return { ticket, expires_at: expiresAt.toISOString(), evidence_id: witness.evidenceId, label: witness.label }
    }),
    route(contract.pasteText, async ({ params, body, evidenceToken }) => {
      return await presentState(deps, await callLive(deps, { evidenceToken }, params.id, { name: 'paste', ...body }))
    }),
    ...calls.flatMap(([{ get, post }, name]) => {
      const call = async (id: string, evidenceToken: string | undefined) =>
        await presentState(deps, await callLive(deps, { evidenceToken }, id, { name }))
      return [
        route(get, async ({ params, evidenceToken }) => await call(params.id, evidenceToken)),
        route(post, async ({ params, evidenceToken }) => await call(params.id, evidenceToken)),
      ]
    }),
    route(contract.createHandOff, async ({ params, body, evidenceToken }) => {
      const { code, expiresAt } = await createHandOff(deps, { evidenceToken }, params.id, body.sealed_token)
      return { code, expires_at: expiresAt.toISOString() }
    }),
    route(contract.takeHandOff, async ({ params }) => {
      const { evidenceId, sealedToken } = await takeHandOff(deps, params.code)
      return { evidence_id: evidenceId, sealed_token: sealedToken }
    }),
    route(contract.inviteWitness, async ({ params, body, evidenceToken }) => {
      const { witness, token } = await inviteWitness(deps, { evidenceToken }, params.id, body.label)
      return { witness: presentWitness(witness), token }
    }),
    route(contract.listWitnesses, async ({ params, evidenceToken }) => ({
      witnesses: (await witnessesOf(deps, { evidenceToken }, params.id)).map(presentWitness),
    })),
    route(contract.revokeWitness, async ({ params, evidenceToken }) =>
      presentWitness(await revokeWitness(deps, { evidenceToken }, params.id, params.witness)),
    ),
  ]
}
