import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageSoftware as software } from '../../../../platform/config/software.ts'
import type { AskedBy } from '../../domain/attribute-connections.ts'
import type { CapturedFile } from '../../domain/outcome/outcome.ts'
import type { CaptureDeps, CaptureInput } from '../course/capture-request.ts'
import type { ShowDeps } from '../course/show-page.ts'
import { writePcap } from '../network/index.ts'
import type { ObservedRequest } from '../page/observe-browser.ts'
import type { Masking } from '../secrets/masking.ts'
import { passedInClear } from '../secrets/passed-in-clear.ts'
import type { EndedSession } from './ended-session.ts'
import { readJailFile } from './read-jail-file.ts'
import { maxKeyLogBytes, readNetworkRecord, type NetworkRecord } from './read-network-record.ts'
import { jsonText, writeTexts } from './write-texts.ts'

/** Keys, HAR, WACZ, PCAP and DNS answers, and what of the traffic is missing. */
export async function recordNetwork(
  input: CaptureInput,
  deps: Pick<CaptureDeps, 'clock' | 'signal'> & {
    readonly progress: ShowDeps['progress']
    readonly notary: CaptureDeps['notary'] | undefined
    readonly masking: Masking | null
    readonly askedBy: ReadonlyMap<string, AskedBy>
  },
  { session, shown, visited }: EndedSession,
  document: ObservedRequest | undefined,
): Promise<NetworkRecord> {
  const { workDir } = input
  const { browser, page, tunnel } = session
  const records = tunnel.connections()
  const keyLog = await readJailFile(browser.keyLogFile, maxKeyLogBytes)
  const network = await readNetworkRecord({
    records,
    keyLog: keyLog.toString('utf8'),
    requests: page.observation.requests,
    requestsDropped: page.observation.requestsDropped,
    document: document ?? null,
    page: { url: shown.finalUrl, title: shown.seen.title, loadedAfter: null },
    ...(visited === undefined
      ? {}
      : {
          visit: {
            pages: visited.facts.navigations.map(({ url, title, at }) => ({ url, title, at: Date.parse(at) })),
            first: visited.path.at(-1) ?? null,
          },
        }),
    masking: deps.masking,
    onStep: (step) => deps.progress('completing', step),
    workDir,
    software,
    browser: browser.product,
    bodyBytes: input.limits.bodyBytes,
    clock: deps.clock,
    signal: deps.signal,
    notary: deps.notary,
  })
  const pcap = join(workDir, 'network.pcap')
  await writePcap({ records, outFile: pcap, signal: deps.signal })
  const dns = {
    note: 'Answers as the tunnel received them; addresses in `connections` are those dialled. asked_by: page, a request that the browser reported of a page is for that place; browser, asked for before the page had answered, and not for it; unattributed, later, and reported by nobody.',
    answers: tunnel.dnsAnswers(),
    connections: records.map(({ file: _file, ...rest }) => ({ ...rest, asked_by: deps.askedBy.get(rest.id) })),
  }
  const recording: CapturedFile = {
    path: 'capture/network.pcap',
    role: 'pcap',
    media_type: 'application/vnd.tcpdump.pcap',
    file: pcap,
  }
  // What was recorded is dated octet for octet: a secret in it cannot be taken out, so the recording is.
  const { masking } = deps
  const clear = masking !== null && (network.secretInClear || (await passedInClear(records, masking.masker, deps.signal)))
  if (clear) await masking.withhold(recording)
  const files: CapturedFile[] = [
    ...network.files,
    ...(clear ? [] : [recording]),
    ...(await writeTexts(workDir, [['capture/dns.json', 'dns', 'application/json', jsonText(dns)]])),
  ]
  // Whoever holds the keys reads what was sent, secrets too.
  const { keys } = network
  const keyText = keys === null ? keyLog : clear ? '' : keys.text
  if (input.includeTlsKeys && keys !== null)
    masking?.keysLeftOut(clear ? { kept: [], leftOut: [...keys.kept, ...keys.leftOut] } : keys)
  if (input.includeTlsKeys && keyText.length > 0) {
    const keyLogFile = join(workDir, 'tls-keys.log')
    await writeFile(keyLogFile, keyText)
    files.push({ path: 'capture/tls-keys.log', role: 'tls_keys', media_type: 'text/plain', file: keyLogFile })
  }
  return { ...network, files }
}
