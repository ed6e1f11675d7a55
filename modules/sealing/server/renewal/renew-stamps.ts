import { createHash } from 'node:crypto'
import { utf8 } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { formatTlogProof, renewalPaths, writeRenewal, type RenewalRecord } from '../../../verification/server/index.ts'
import type { SealedFile } from '../../domain/seal.ts'
import type { PublicLog } from '../log/public-log.ts'
import { obtainTimestamps } from '../timestamps/obtain-timestamps.ts'
import { pemOf } from '../certificates/read-certificate.ts'
import type { Timestamper } from '../timestamps/timestamper.ts'

export type RenewedStamps = {
  /** Four files for each record, in the order given. */
  readonly renewals: readonly (readonly SealedFile[])[]
  readonly stamp: { readonly authority: string; readonly genTime: Date; readonly embedded: boolean }
}

/**
 * Renews the stamps of many seals by one: each list of files becomes a leaf of the public log, and one checkpoint that covers all of
 * them is stamped (decision 0181). Done again, the lists are the same leaves; only the stamp is another.
 * @throws DomainError `sealing.…`
 */
export async function renewStamps(
  records: readonly RenewalRecord[],
  deps: {
    readonly publicLog: Pick<PublicLog, 'include' | 'checkpoint' | 'inclusionPath'>
    readonly timestampers: readonly Timestamper[]
    readonly signal?: AbortSignal | undefined
  },
): Promise<RenewedStamps> {
  const { publicLog, timestampers, signal } = deps
  const lists = records.map(writeRenewal)
  // Asked for at once, they go into the log together.
  const included = await Promise.all(lists.map(async (bytes) => await publicLog.include(sha256(bytes))))
  const checkpoint = await publicLog.checkpoint()
  if (checkpoint === null) throw new Error('the log has leaves and no checkpoint')
  const { timestamps } = await obtainTimestamps(sha256(checkpoint.note), timestampers, { wanted: 1, signal })
  const [timestamp] = timestamps
  if (timestamp === undefined) throw new DomainError('unavailable', 'sealing.no_timestamp', { asked: timestampers.length })

  const renewals: SealedFile[][] = []
  for (const [i, { number }] of records.entries()) {
    const [bytes, logged] = [lists[i], included[i]?.logged]
    if (bytes === undefined || logged === undefined) throw new Error('a renewal was lost')
    const paths = renewalPaths(number)
    const proof = formatTlogProof({
      extra: logged.salt,
      index: logged.index,
      path: await publicLog.inclusionPath(logged.index, checkpoint.size),
      // Without the cosignatures of witnesses: these octets are what is stamped.
      checkpoint: checkpoint.note,
    })
    renewals.push([
      { path: paths.record, media_type: 'application/json', bytes },
      { path: paths.proof, media_type: 'text/plain; charset=utf-8', bytes: proof },
      { path: paths.token, media_type: 'application/timestamp-reply', bytes: timestamp.response },
      { path: paths.chain, media_type: 'application/x-pem-file', bytes: utf8(pemOf(timestamp.chain)) },
    ])
  }
  const { authority, genTime, embedded } = timestamp
  return { renewals, stamp: { authority, genTime, embedded } }
}

function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash('sha256').update(bytes).digest())
}
