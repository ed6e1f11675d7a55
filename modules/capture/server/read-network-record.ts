import type { Clock } from '../../../kernel/clock.ts'
import type { CapturedFile, CaptureFacts } from '../domain/outcome.ts'
import type { ConnectionRecord, DnsRecord } from './network/index.ts'
import type { ObservedRequest } from './observe-browser.ts'

export type NetworkRecord = {
  readonly files: readonly CapturedFile[]
  readonly losses: CaptureFacts['completeness']['losses']
  readonly exchanges: number | null
  readonly certificate: Omit<NonNullable<CaptureFacts['certificate']>, 'error'> | null
}

/** From the recorded bytes to HAR, WACZ, certificates, the document's source, and what is missing. */
export async function readNetworkRecord(_input: {
  readonly records: readonly ConnectionRecord[]
  readonly dns: readonly DnsRecord[]
  readonly keyLogFile: string
  readonly requests: readonly ObservedRequest[]
  readonly document: ObservedRequest | null
  readonly page: { readonly url: string; readonly title: string; readonly at: string }
  readonly workDir: string
  readonly software: string
  readonly clock: Clock
  readonly signal: AbortSignal
}): Promise<NetworkRecord> {
  return { files: [], losses: [{ url: 'capture/archive.wacz', reason: 'artefact_missing' }], exchanges: null, certificate: null }
}
