import { randomUUIDv7 } from 'node:crypto'
import { chooseScenario, findServerState, mayBeAskedFor, type ChosenScenario } from '../../../capture/server/index.ts'
import { parseWebAddress } from '../../../../kernel/web-address.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import type { BodyOf } from '../../../../kernel/endpoint.ts'
import type * as contract from '../../contract/endpoints.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { admitCapture } from '../quota/admit-capture.ts'
import { newEvidenceToken } from '../own/hold-evidence.ts'
import { admitSession } from '../quota/limit-sessions.ts'
import { askerOf, type Asker } from '../quota/name-asker.ts'
import { requestDigest } from '../../../../platform/guard/proof-of-work.ts'
import { accountOf, type Caller } from '../own/reach-store.ts'
import { ownershipFor, recordEvidenceAct } from '../own/own-evidence.ts'
import { insertEvidence, type EvidenceRecord } from '../record/store.ts'
import { refusedOption, refusedOptions } from './refused-options.ts'
import { startingOptions } from './starting-options.ts'
import { automaticServer, vantageAsked } from '../vantage/ask-vantage.ts'
import { insertVantage } from '../vantage/vantage-store.ts'

type Body = BodyOf<typeof contract.createEvidence>
type Asked = Omit<Body, 'device' | 'locale'> & Partial<Pick<Body, 'device'>> & { readonly locale: Locale }

/**
 * Queues the capture of a page (C-27). The address was checked by the contract's rule; here again with the addresses that
 * only the operator's configuration knows.
 * @param asker who asks: whose it becomes, and in whose turn it is taken
 * @returns the token that opens it while it is nobody's: of an account's, it never opens anything
 * @throws DomainError `evidence.address` with the field `url` holding the reason; `evidence.options` with `scenario`,
 * `scenario_input.<name>`, `close_cookies`, `server`, `second_server`, `device` or `store` holding `unknown`, `required`, `too_long`, `same_server`,
 * `no_second_server`, `static_only`, `interactive_only`, `dedicated_gone`, `chosen_gone` or `account_only`; `live.too_many_sessions`; those of `admitCapture`
 */
export async function createEvidence(
  deps: EvidenceWebDeps,
  input: Asked,
  asker: Pick<Asker, 'addressPrefix'> & Pick<Caller, 'actor'> = { addressPrefix: null },
): Promise<{ evidence: EvidenceRecord; token: string }> {
  const address = parseWebAddress(input.url, deps.allowAddresses)
  if (!address.ok) throw new DomainError('invalid', 'evidence.address', {}, { fields: { url: [address.code] } })
  refuseWhatDoesNotFit(input)
  if (input.store === false && accountOf(asker) === null) throw refusedOption('store', 'account_only')
  const scenario = scenarioAsked(deps, input)
  const starting = await startingOptions(deps, asker, input)
  const askedServer = await serverAsked(deps, { ...input, server: starting.server }, starting.groupId)
  const secondServer = await vantageAsked(deps, input.second_server, askedServer, starting.groupId)
  const { token, tokenHash } = newEvidenceToken()
  const row: Parameters<typeof insertEvidence>[1] = {
    id: randomUUIDv7(),
    tokenHash,
    action: input.action,
    device: input.device ?? 'desktop',
    requestedUrl: address.url,
    locale: input.locale,
    now: deps.clock.now(),
    askedServer,
    askerCountry: starting.country,
    label: input.label ?? '',
    store: input.store ?? true,
    outsideStamps: starting.outsideStamps,
    options: {
      closeCookies: starting.closeCookies,
      scenario: scenario === null ? null : { id: scenario.recipe.id, text: scenario.text, input: scenario.input },
    },
  }
  const { work, ...asked } = input
  const evidence = await deps.db.transaction().execute(async (tx) => {
    const who = { addressPrefix: asker.addressPrefix, accountId: accountOf(asker) }
    if (input.action === 'interactive') await admitSession(deps, tx, who)
    await admitCapture(deps, tx, who, { request: requestDigest(asked), work })
    const ownership = await ownershipFor(tx, asker)
    const inserted = await insertEvidence(tx, { ...row, asker: askerOf(deps, who), ownership })
    if (secondServer !== undefined) await insertVantage(tx, inserted.id, secondServer)
    await recordEvidenceAct(tx, row.now, 'created', asker, inserted.id, { action: input.action })
    return inserted
  })
  return { evidence, token }
}

/** In a session the visitor acts, not a robot; and what he does cannot be done a second time elsewhere. */
function refuseWhatDoesNotFit(input: Asked): void {
  if (input.action === 'static') {
    if (input.device === 'mobile') throw refusedOption('device', 'interactive_only')
    return
  }
  if (input.scenario !== undefined) throw refusedOption('scenario', 'static_only')
  if (input.close_cookies === true) throw refusedOption('close_cookies', 'static_only')
  if (input.second_server !== undefined) throw refusedOption('second_server', 'static_only')
}

/** The recipe is kept with the evidence as it stands now: what was chosen is what is followed, whenever that is. */
function scenarioAsked({ scenarios }: EvidenceWebDeps, input: Asked): ChosenScenario | null {
  if (input.scenario === undefined) {
    if (input.scenario_input !== undefined) throw refusedOption('scenario', 'required')
    return null
  }
  const choice = chooseScenario(scenarios, input.scenario, input.scenario_input ?? {})
  if (choice.ok) return choice.scenario
  throw refusedOptions(Object.fromEntries(Object.entries(choice.faults).map(([field, code]) => [field, [code]])))
}

/** A server asked for by name is taken or waited for, never silently replaced (decision H-17). */
async function serverAsked(
  deps: EvidenceWebDeps,
  { server, action }: Pick<Asked, 'server' | 'action'>,
  groupId: string | null,
): Promise<string | null> {
  if (server === undefined || server === automaticServer) return null
  const known = /^[a-z0-9-]+$/.test(server) ? await findServerState(deps.db, server) : null
  if (known === null || !mayBeAskedFor(known, groupId)) throw refusedOption('server', 'unknown')
  // One that is away may offer sessions when it is back; one that stands ready says whether it does.
  if (action === 'interactive' && known.status === 'ready' && known.interactive.capacity === 0)
    throw refusedOption('server', 'static_only')
  return known.id
}
