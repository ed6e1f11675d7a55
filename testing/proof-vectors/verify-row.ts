import { readFile } from 'node:fs/promises'
import { fromHex, utf8 } from '../../kernel/bytes.ts'
import { verifyAsicProof } from '../../modules/verification/domain/asic/verify-asic-proof.ts'
import { verifyBitcoinMessage } from '../../modules/verification/domain/bitcoin-message/verify-bitcoin-message.ts'
import { verifyChainpoint } from '../../modules/verification/domain/chainpoint/verify-chainpoint.ts'
import { typedDigest } from '../../modules/verification/domain/cms/digest-content.ts'
import { verifyDigest } from '../../modules/verification/domain/proof/verify-digest.ts'
import { verifyEvidenceRecord } from '../../modules/verification/domain/evidence-record/verify-evidence-record.ts'
import { verifyCheckpoint } from '../../modules/verification/domain/log/verify-checkpoint.ts'
import { verifyLogProof } from '../../modules/verification/domain/log/verify-log-proof.ts'
import { verifyNanoMessage } from '../../modules/verification/domain/nano-message/verify-nano-message.ts'
import { verifyOpenTimestamps } from '../../modules/verification/domain/opentimestamps/verify-opentimestamps.ts'
import { verifyPdfProof } from '../../modules/verification/domain/pdf/verify-pdf-proof.ts'
import type { VerifyDeps } from '../../modules/verification/domain/known/verify-deps.ts'
import type { ProofKind, ProofReport } from '../../modules/verification/domain/report/proof-report.ts'
import { verifyTrustedList } from '../../modules/verification/domain/trusted-list/verify-trusted-list.ts'
import { verifyWaczProof } from '../../modules/verification/domain/wacz/verify-wacz-proof.ts'
import { bytesOf, fieldsOf, folderOf } from './gallery.ts'
import type { Known, Row } from './gallery.ts'

/** A file in memory, as the verifiers read one: never past its end. */
export function fileOf(bytes: Uint8Array): { size: number; read(at: number, length: number): Promise<Uint8Array> } {
  return {
    size: bytes.length,
    read: (at, length) =>
      at < 0 || length < 0 || at + length > bytes.length
        ? Promise.reject(new RangeError('past the end'))
        : Promise.resolve(bytes.subarray(at, at + length)),
  }
}

export async function depsOf(kind: ProofKind, known: Known): Promise<VerifyDeps> {
  const { now = '2026-11-21T12:00:00Z', trust, headers, network, keys, lists, noLists } = known
  return {
    now: () => new Date(now),
    ...(trust === undefined ? {} : { trust: new Uint8Array(await readFile(new URL(trust, folderOf(kind)))) }),
    ...(headers === undefined
      ? {}
      : {
          headers: (height) =>
            Promise.resolve(
              headers.flatMap((each) => (each.height === height ? [{ ...each, header: fromHex(each.header) }] : [])),
            ),
        }),
    ...(network === undefined ? {} : { network }),
    ...(keys === undefined ? {} : { keys }),
    ...(lists === undefined || noLists === true ? {} : { trustedLists: lists }),
  }
}

/** What the verifier of a kind answers to a row of its gallery. */
export async function verifyRow(kind: ProofKind, row: Row, deps: VerifyDeps): Promise<ProofReport> {
  const bytes = await bytesOf(kind, row)
  const fields = fieldsOf(row)
  const { message = '', signature = '' } = fields
  switch (kind) {
    case 'digest':
      return await verifyDigest(given(fields, 'text', 'digest'), deps)
    case 'bitcoin_message':
      return await verifyBitcoinMessage({ message, signature, ...given(fields, 'address', 'at') }, deps)
    case 'nano_message':
      return await verifyNanoMessage({ message, signature, ...given(fields, 'account', 'at') }, deps)
    case 'opentimestamps':
      return await verifyOpenTimestamps({ proof: bytes, ...given(fields, 'digest') }, deps)
    case 'chainpoint':
      return await verifyChainpoint({ proof: bytes, ...given(fields, 'digest') }, deps)
    case 'log_proof':
      return await verifyLogProof(
        { proof: bytes, ...(fields['root'] === undefined ? {} : { root: fromHex(fields['root']) }) },
        deps,
      )
    case 'checkpoint': {
      const { earlier, proof = '' } = fields
      const hashes = proof
        .split(' ')
        .filter((each) => each !== '')
        .map(fromHex)
      return await verifyCheckpoint(
        { note: bytes, ...(earlier === undefined ? {} : { earlier: { note: utf8(earlier), proof: hashes } }) },
        deps,
      )
    }
    case 'evidence_record': {
      const { digest, document } = fields
      const typed = digest === undefined ? undefined : typedDigest(digest)
      return await verifyEvidenceRecord(
        {
          record: bytes,
          data: [...(typed === undefined ? [] : [typed]), ...(document === undefined ? [] : [{ file: fileOf(utf8(document)) }])],
        },
        deps,
      )
    }
    case 'pdf':
      return await verifyPdfProof({ file: fileOf(bytes) }, deps)
    case 'asic':
      return await verifyAsicProof({ file: fileOf(bytes) }, deps)
    case 'wacz':
      return await verifyWaczProof({ file: fileOf(bytes) }, deps)
    case 'trusted_list':
      return await verifyTrustedList({ list: bytes }, deps)
    default:
      throw new Error(`${kind} has a table of its own`)
  }
}

function given<K extends string>(fields: Readonly<Record<string, string>>, ...names: readonly K[]): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {}
  for (const name of names) {
    const text = fields[name]
    if (text !== undefined && text !== '') found[name] = text
  }
  return found
}
