/** Deposits for the tests of the certificate: files that are there, sealed by the real thing, and facts that follow from the seal. */
import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../../../kernel/clock.ts'
import { toHex } from '../../../../kernel/bytes.ts'
import { sealRoot, type Keyring, type PublicLog, type Timestamper } from '../../../sealing/server/index.ts'
import { buildEvidenceRecord, buildHashTree } from '../../../verification/server/index.ts'
import type { Attachment, CertificateEdition, CertificateFacts } from './page/certificate-facts.ts'
import type { CertificateInput } from './make-certificate.ts'

const digest = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(bytes).digest())

export const sampleId = '0193a1b2-0000-7000-8000-00000000d0c5'
const verifiedAt = '2026-03-02T09:00:00.000Z'

export const sampleEdition: CertificateEdition = { edition: 1, madeAt: '2026-11-21T19:10:00.000Z', software: 'probant/1.0.0' }

/** @param others fingerprints deposited together with that of `file` */
export async function sampleDeposit(
  file: Uint8Array,
  deps: {
    readonly keyring: Keyring
    readonly timestampers: readonly Timestamper[]
    readonly clock: Clock
    readonly publicLog: PublicLog
  },
  others: readonly Uint8Array[] = [],
): Promise<CertificateInput> {
  const leaf = digest(file)
  const tree = buildHashTree([leaf, ...others], digest)
  const blind = new Uint8Array(randomBytes(32))
  const sealed = await sealRoot(
    { root: tree.root, logged: digest(Buffer.concat([tree.root, blind])) },
    { ...deps, log: deps.publicLog },
  )
  const nameOf = (index: number) => (index === 0 ? 'document' : `document-${index + 1}`)
  const pem = (name: string, text: string): Attachment => ({
    name,
    mediaType: 'application/x-pem-file',
    bytes: new TextEncoder().encode(text),
  })
  const [first] = sealed.timestamps
  if (first === undefined || sealed.log === null) throw new Error('a sample without a seal')
  const path = others.length === 0 ? [] : tree.path(0)
  const proofs: Attachment[] = [
    { name: 'signature.p7s', mediaType: 'application/pkcs7-signature', bytes: sealed.signature },
    pem('platform-ca.pem', sealed.signerCa),
    ...sealed.timestamps.flatMap((stamp, index) => [
      { name: `${nameOf(index)}.tsr`, mediaType: 'application/timestamp-reply', bytes: stamp.response },
      pem(`${nameOf(index)}-ca.pem`, stamp.ca),
    ]),
    {
      name: 'document.ers',
      mediaType: 'application/octet-stream',
      bytes: buildEvidenceRecord({ leaf, path, token: first.response }),
    },
    { name: 'root.bin', mediaType: 'application/octet-stream', bytes: tree.root },
    { name: 'logged.bin', mediaType: 'application/octet-stream', bytes: Buffer.concat([tree.root, blind]) },
    { name: 'log-proof.txt', mediaType: 'text/plain; charset=utf-8', bytes: sealed.log.proof },
  ]
  return {
    facts: {
      ...declared,
      id: sampleId,
      sha256: toHex(leaf),
      receivedAt: sealed.signedAt.toISOString(),
      root: toHex(tree.root),
      batch: { size: others.length + 1, steps: path.length },
      signedAt: sealed.signedAt.toISOString(),
      signer: sealed.signer,
      stamps: sealed.timestamps.map(({ authority, genTime, serial, embedded }, index) => ({
        file: `${nameOf(index)}.tsr`,
        caFile: `${nameOf(index)}-ca.pem`,
        authority,
        genTime: genTime.toISOString(),
        serial,
        embedded,
        qualification: { state: embedded ? ('not_qualified' as const) : ('not_established' as const), source: null },
      })),
      log: { ...sealed.log.facts, blind: toHex(blind) },
    },
    edition: sampleEdition,
    proofs,
  }
}

const declared = {
  sha512: null,
  name: 'Contrat de cession – signé le 20 novembre.pdf',
  description: 'Version signée par les deux parties.',
  replaces: [],
  stored: null,
  depositor: { name: 'Ève Œuvrard', confirmedAt: '2026-01-05T08:00:00.000Z', identityVerifiedAt: null },
  owner: null,
  apiKey: null,
  outsideStamps: true,
  renewals: [],
  anchor: { network: 'main', block: null },
  shareUrl: null,
  verifierUrl: 'https://probant.example/proofs/',
} as const satisfies Partial<CertificateFacts>

/** Everything that a certificate may say, at its longest and strangest. */
export function strangest({ facts, ...rest }: CertificateInput): CertificateInput {
  const version = (index: number) => ({
    id: `0193a1b2-0000-7000-8000-0000000000${String(index).padStart(2, '0')}`,
    name: index % 2 === 0 ? null : `${'v'.repeat(240)}${index}.pdf`,
    sealedAt: index === 3 ? null : '2026-11-01T00:00:00.000Z',
  })
  return {
    ...rest,
    facts: {
      ...facts,
      sha512: toHex(new Uint8Array(createHash('sha512').update('another').digest())),
      name: `<script>alert(1)</script>\u202efdp.exe ${'W'.repeat(200)}`,
      description: `{name} \ue000 first line\nsecond\u2066 line\n${'M'.repeat(300)}\n${'\n'.repeat(20)}${'N'.repeat(1500)}`,
      replaces: [0, 1, 2, 3, 4].map(version),
      stored: { bytes: 2_612_345_678, comparedAt: '2026-11-21T20:00:00.000Z', deletedAt: '2027-11-21T20:00:00.000Z' },
      depositor: { name: '{owner} <b>Grace</b>', confirmedAt: null, identityVerifiedAt: verifiedAt },
      owner: { name: ' ', confirmedAt: verifiedAt, identityVerifiedAt: null },
      apiKey: 'archive\u202e {key}',
      outsideStamps: false,
      anchor: { network: 'main', block: { height: 924_310, time: '2026-11-21T21:04:05.000Z' } },
      shareUrl: `https://probant.example/shared/${'a'.repeat(43)}/`,
      verifierUrl: null,
    },
  }
}
