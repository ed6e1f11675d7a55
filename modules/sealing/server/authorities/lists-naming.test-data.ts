import { readFile } from 'node:fs/promises'
import { keyDigest } from '../../../verification/domain/trusted-list/certificate-identity.ts'
import { readPem, type TrustedLists } from '../../../verification/server/index.ts'

export type ServiceType = 'QTST' | 'TSA' | 'none'
export type ServiceStatus = 'granted' | 'withdrawn'

/** One State's list, in which the root of an authority is a service of that type and status. @param caFile PEM */
export async function listsNaming(
  caFile: string,
  { type, status, issuedAt }: { readonly type: ServiceType; readonly status: ServiceStatus; readonly issuedAt: Date },
): Promise<TrustedLists> {
  const issued = issuedAt.toISOString()
  const sha256 = 'ab'.repeat(32)
  const facts = (territory: string) => ({
    territory,
    operator: `Operator of ${territory}`,
    sequence_number: 1234,
    issued_at: issued,
    next_update: null,
    sha256,
    signer_sha256: sha256,
    url: '',
  })
  const keys = readPem(await readFile(caFile)).map(keyDigest)
  const services =
    type === 'none'
      ? []
      : [{ provider: 'Horodatage SA', name: 'Time', keys, history: [{ since: '2020-01-01T00:00:00Z', type, status }] }]
  return {
    format: 'probant-trusted-lists/1',
    made_at: issued,
    lotl: { ...facts('EU'), journal: 'C/2026/1944' },
    pointers: [{ territory: 'FR', url: '', signers: [sha256] }],
    lists: [{ ...facts('FR'), services }],
  }
}
