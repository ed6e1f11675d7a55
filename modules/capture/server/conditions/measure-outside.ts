import type { Clock } from '../../../../kernel/clock.ts'
import { classifyAddress } from '../../../../kernel/ip-address.ts'
import { agreeOnOffset } from '../../domain/conditions/clock-facts.ts'
import { createRegistry } from './ask/ask-registry.ts'
import { askStunServer } from './ask/ask-stun-server.ts'
import { askTimeServer } from './ask/ask-time-server.ts'
import type { OutsideSources } from './sources.ts'

const askMs = 1_500
const registryMs = 2_000

/** Seconds that our clock is ahead of the majority of the time servers; null when none answered or they contradict each other. */
export async function measureClockOffset(sources: Pick<OutsideSources, 'timeServers'>, clock: Clock): Promise<number | null> {
  const { signal } = new AbortController()
  const samples = await Promise.all(
    sources.timeServers.map((server) => askTimeServer({ clock, signal, timeoutMs: askMs }, server)),
  )
  const agreed = agreeOnOffset(samples)
  return agreed === null ? null : (agreed.low + agreed.high) / 2
}

/** Address that a STUN server sees us come from, and the name of its holder's network; null when nobody could be asked. */
export async function measurePublicAddress(
  sources: Pick<OutsideSources, 'stunServers' | 'rdapBootstrap' | 'whoisServer'>,
  clock: Clock,
): Promise<{ readonly address: string; readonly asn: number | null; readonly network: string | null } | null> {
  const { signal } = new AbortController()
  const answers = await Promise.all(sources.stunServers.map((server) => askStunServer({ signal, timeoutMs: askMs }, server)))
  const address = answers.find((answer) => answer.address !== null)?.address ?? null
  if (address === null) return null
  const holder = classifyAddress(address).global
    ? await createRegistry(sources).ask(
        { clock, vetting: { allowAddresses: [], ownAddresses: [] }, signal: AbortSignal.timeout(registryMs) },
        { kind: 'address', value: address },
      )
    : null
  // Registries of addresses do not name the autonomous system that announces them.
  return { address, asn: null, network: holder?.name ?? null }
}
