import type { Check } from '../../report/package-report.ts'
import { endsOfStamps, examineRenewals } from './examine-renewals.ts'
import type { ExaminedRenewal, SealStamp } from './examine-renewals.ts'
import { renewalPaths } from './renewal-record.ts'

export type ExaminedRenewals = { readonly renewals: readonly ExaminedRenewal[]; readonly stamps: readonly SealStamp[] }

/**
 * The renewals of a package, and what has ended without one. No check while nothing has ended and nothing was renewed. What is false
 * fails; one that came too late proves nothing more, and takes nothing away.
 * @param anchored whether the root is proved to be in a block: that does not end with any certificate.
 */
export function renewalChecks(
  files: ReadonlyMap<string, Uint8Array>,
  root: Uint8Array,
  { now, anchored, examined }: { readonly now: Date; readonly anchored: boolean; readonly examined?: ExaminedRenewals },
): Check[] {
  const { renewals, stamps } = examined ?? examineRenewals(files, root, now)
  const checks = renewals.map(({ number, files: count, stamp, flaw }): Check => {
    const paths = renewalPaths(number)
    const facts =
      stamp === null
        ? {}
        : { authority: stamp.authority, gen_time: stamp.at.toISOString(), until: stamp.until.toISOString(), count, number }
    const attime = stamp === null ? '' : ` -attime ${String(Math.ceil(stamp.at.getTime() / 1000))}`
    const base = {
      id: 'renewal' as const,
      subject: flaw?.status === 'failed' ? failing(flaw.reason, paths) : paths.token,
      repeat_command: `sed '1,/^$/d' ${paths.proof} | openssl ts -verify${attime} -data /dev/stdin -in ${paths.token} -CAfile ${paths.chain}`,
    }
    if (flaw === null) return { ...base, status: 'passed', data: facts }
    const data = { ...facts, reason: flaw.reason, ...(flaw.path === undefined ? {} : { path: flaw.path }) }
    return { ...base, status: flaw.status, data, ...(flaw.status === 'indeterminate' ? { supplementary: true } : {}) }
  })
  // A renewal dates what it carries: one that came too late carries nothing.
  const carried = endsOfStamps(stamps)
  const ends = stamps.filter(({ covers }) => covers.length === 0).map(({ file, until }) => (carried.get(file) ?? until).getTime())
  const last = Math.max(...ends)
  // Without any stamp that holds there is nothing that could have ended.
  if (ends.length === 0 || last > now.getTime()) return checks
  const ended: Check = {
    id: 'renewal',
    status: 'indeterminate',
    data: { reason: 'renewal_absent', until: new Date(last).toISOString() },
    ...(anchored ? { supplementary: true } : {}),
  }
  return [...checks, ended]
}

function failing(reason: string, paths: ReturnType<typeof renewalPaths>): string {
  if (reason === 'renewal_log') return paths.proof
  return reason === 'renewal_token' ? paths.token : paths.record
}
