import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clockTolerance, judgeClock, type ClockFacts } from '../../domain/conditions/clock-facts.ts'
import type { CapturedFile } from '../../domain/outcome/outcome.ts'
import type { ConnectionRecord } from '../network/index.ts'
import type { Conditions } from './start-conditions.ts'

/** Host of the document and the address that the tunnel dialled for it; null while there is none. */
export function siteOf(
  documentUrl: string | undefined,
  records: readonly ConnectionRecord[],
): { readonly host: string; readonly address: string | null } | null {
  if (documentUrl === undefined || !URL.canParse(documentUrl)) return null
  const host = new URL(documentUrl).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const address = records.findLast((record) => record.host === host && record.remote_address !== null)?.remote_address ?? null
  return { host, address }
}

/** The raw evidence of what was asked outside: one piece for each subject, always written, with the reason where there is no answer. */
export async function writeConditions(
  workDir: string,
  conditions: Conditions,
  clock: ClockFacts,
  tunnelAnswers: unknown,
): Promise<readonly CapturedFile[]> {
  const { names, nameServers, publicAddresses, gateway, provider, siteNetwork, siteDomain, route } = conditions
  const pieces: readonly (readonly [name: string, role: CapturedFile['role'], value: unknown])[] = [
    [
      'clock.json',
      'clock',
      {
        note: 'Offsets in seconds: the clock of the capture minus the other.',
        tolerance: clockTolerance,
        ...clock,
        judged: judgeClock(clock),
      },
    ],
    ['dns.json', 'dns', { servers: nameServers, used_by_the_capture: tunnelAnswers, answers: names }],
    ['addresses.json', 'environment', { gateway, public: publicAddresses }],
    ['whois.json', 'environment', { provider, site_network: siteNetwork, site_domain: siteDomain }],
    ['traceroute.json', 'environment', route ?? { error: 'not_asked' }],
  ]
  return Promise.all(
    pieces.map(async ([name, role, value]) => {
      const file = join(workDir, `environment-${name}`)
      await writeFile(file, `${JSON.stringify(value, null, 1)}\n`)
      return { path: `environment/${name}`, role, media_type: 'application/json', file }
    }),
  )
}
