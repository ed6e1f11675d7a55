import { z } from 'zod'
import { defineJob, handle, type JobHandler } from '../jobs/jobs.ts'
import type { Log } from '../log/log.ts'
import { type Certificate, orderCertificate, type OrderDeps } from './order-certificate.ts'
import { keepCertificate, keepProblem, removeOldAnswers, takeTurn } from './tls-store.ts'

export type RenewDeps = OrderDeps & {
  readonly log: Log
  /** Names that the installation answers to. */
  readonly hosts: readonly string[]
}

export const renewCertificatesJob = defineJob('tls.renew_certificates', z.object({}).loose())
export const renewCertificatesCrontab = `*/10 * * * * ${renewCertificatesJob.name}`

/** Longer than any order takes: one that was killed is begun again after it. Milliseconds. */
const turnMs = 15 * 60_000
/** Authorities count failed proofs of a name, five an hour the strictest known to us: the first wait keeps below, and each doubles. */
const longestWaitMs = 24 * 3_600_000
const answersHoldMs = 3_600_000

export const waitAfter = (failures: number): number => Math.min(longestWaitMs, turnMs * 2 ** (failures - 1))

/** A third of its life before its end, as authorities ask for, whatever that life is. */
export const renewalOf = ({ notBefore, notAfter }: Pick<Certificate, 'notBefore' | 'notAfter'>): Date =>
  new Date(notAfter.getTime() - (notAfter.getTime() - notBefore.getTime()) / 3)

export const keyPurpose = 'tls.certificate'

/** Orders what is missing or soon runs out, one name after the other. One that cannot be had keeps no other from being had. */
export async function renewCertificates(deps: RenewDeps): Promise<void> {
  const { db, vault, clock, log } = deps
  await removeOldAnswers(db, new Date(clock.now().getTime() - answersHoldMs))
  for (const host of deps.hosts) {
    const now = clock.now()
    const failures = await takeTurn(db, host, now, new Date(now.getTime() + turnMs))
    if (failures === null) continue
    try {
      const had = await orderCertificate(deps, host)
      const nextAt = renewalOf(had)
      await keepCertificate(db, { ...had, host, key: vault.seal(keyPurpose, host, Buffer.from(had.key)), nextAt })
      log.info({ host, until: had.notAfter }, 'a certificate was had')
    } catch (error) {
      const problem = (error instanceof Error ? error.message : String(error)).slice(0, 1000)
      const nextAt = new Date(clock.now().getTime() + waitAfter(failures + 1))
      await keepProblem(db, host, failures + 1, problem, nextAt)
      log.error({ host, err: error, nextAt }, 'no certificate could be had')
    }
  }
}

export function renewCertificatesHandler(deps: RenewDeps): JobHandler {
  return handle(renewCertificatesJob, async () => await renewCertificates(deps))
}
