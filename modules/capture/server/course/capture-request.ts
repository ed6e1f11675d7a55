import type { Clock } from '../../../../kernel/clock.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import type { Log } from '../../../../platform/log/log.ts'
import type { CaptureLimits } from '../../domain/outcome/limits.ts'
import type { CaptureProgress } from '../../domain/outcome/outcome.ts'
import type { ConditionProbes } from '../conditions/index.ts'
import type { NameResolver } from '../network/index.ts'
import type { Notary } from '../dating/notary.ts'
import type { Preparation } from '../scenario/index.ts'
import type { StartedBrowser } from '../servers/start-server.ts'
import type { WarmPool } from '../session/warm-pool.ts'

export type CaptureInput = {
  readonly evidenceId: string
  readonly url: string
  readonly locale: Locale
  /** Empty folder of this capture; the files handed over are in it. The caller removes it. */
  readonly workDir: string
  readonly limits: CaptureLimits
  /** `ip:port` exceptions of the operator (PROBANT_ALLOW_ADDRESSES). */
  readonly allowAddresses: readonly string[]
  /** Who runs the machine, as the installation states it (PROBANT_OPERATOR); absent: not stated. */
  readonly operator?: string | undefined
  /** Hand over the TLS session keys as a piece: whoever holds them can read the PCAP, cookies included. */
  readonly includeTlsKeys: boolean
  /** What is done to the page before it is photographed; absent: nothing. */
  readonly preparation?: Preparation | undefined
  onProgress(progress: CaptureProgress): void
  /** Awaited when everything stands ready, before the address is visited. */
  readonly beforeNavigation?: (() => Promise<void>) | undefined
  /** Told of the browser before it visits anything; whoever objects aborts the signal. */
  onBrowser?(browser: StartedBrowser): Promise<void>
}

export type CaptureDeps = {
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
  readonly resolver?: NameResolver
  readonly ownAddresses?: readonly string[]
  /** Sessions that wait for a capture; absent: each capture starts its own browser. */
  readonly warmPool?: WarmPool
  /** What asks outside about clock, names, addresses and route; absent: nobody outside is asked. */
  readonly conditions?: ConditionProbes
  /** Dates what is recorded while it is; absent: nothing is dated before the seal. */
  readonly notary?: Notary
  /** The operator's word that captures may run without namespaces (PROBANT_UNJAILED_BROWSER). */
  readonly isolationOverride: boolean
  /** The browser's program; that of this process unless told. */
  readonly program?: string
}
