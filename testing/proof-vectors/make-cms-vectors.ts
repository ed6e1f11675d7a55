import { generateKeyPairSync } from 'node:crypto'
import { utf8 } from '../../kernel/bytes.ts'
import { octetString, sequence, setOf, time } from '../../modules/sealing/server/encoding/write-der.ts'
import {
  attribute,
  authority,
  certificate,
  data,
  day,
  digestOf,
  extension,
  falsified,
  indefinite,
  keyOf,
  oid,
  pem,
  revocationList,
  rsaKey,
  sha256Id,
  signedData,
  stampInfo,
  timeStamping,
  tstInfo,
} from './issue.ts'
import type { CertificateOptions, Issued, SignatureOptions } from './issue.ts'
import { content, grown, laterRoot, steps } from './later-proofs.ts'
import { writeVectors } from './write-vectors.ts'
import type { Vector } from './write-vectors.ts'

/**
 * Writes the vectors of CMS signatures: `node testing/proof-vectors/make-cms-vectors.ts`. Each is right but for what its name says,
 * and the table says which check must notice, and that no other one may.
 */
const root = authority('Vector root', keyOf(21), 1)
const otherRoot = authority('Other root', keyOf(22), 1)
const person = (options: Partial<CertificateOptions> = {}, issuer = root): Issued =>
  certificate({ name: 'Vector signer', serial: 200, key: keyOf(23), usage: [0, 1], ...options }, issuer)
const good = person()
const unit = certificate({ name: 'Vector time-stamping unit', serial: 201, key: keyOf(24), purposes: [timeStamping] }, root)
const rsaRoot = authority('Vector RSA root', rsaKey(2048), 1)
const rsaPerson = person({ key: rsaKey(2048) }, rsaRoot)
const edPerson = person({ key: generateKeyPairSync('ed25519').privateKey })
const weakKey = rsaKey(1024)
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (unit) => unit.charCodeAt(0))
const typed = (tag: number, contents: Uint8Array): Uint8Array => Uint8Array.of(tag, contents.length, ...contents)
const oldName = (tag: number, contents: Uint8Array): Uint8Array =>
  sequence(setOf([sequence(oid('2.5.4.3'), typed(tag, contents))]))
/** Version 1, a TeletexString, and a time of each type. */
const oldRoot = certificate({
  name: '',
  serial: 1,
  key: keyOf(31),
  isFirstVersion: true,
  subject: oldName(0x14, latin1('Autorité ancienne')),
  times: [typed(0x17, latin1('990101000000Z')), typed(0x18, latin1('20400101000000Z'))],
})
const negative = typed(0x02, Uint8Array.of(0x9f, 0x01, 0x02))
const oldPerson = certificate(
  {
    name: '',
    serial: 0,
    key: keyOf(32),
    usage: [0],
    serialElement: negative,
    subject: oldName(0x1e, Uint8Array.of(0x03, 0xa9, 0, 0x6d, 0, 0x65, 0, 0x67, 0, 0x61)),
  },
  oldRoot,
)
const stray = authority('Vector stray', keyOf(29), 77, {}, otherRoot)
const notAuthority = certificate({ name: 'Vector person', serial: 250, key: keyOf(25), usage: [0, 5] }, root)

type Options = Partial<SignatureOptions> & { parent?: Issued; stamp?: (signature: Uint8Array) => Uint8Array }

/** With `stamp`, the signature is made twice: the stamp is over its value, which must then be the same. */
function signature({ parent = root, stamp, ...options }: Options = {}): Uint8Array {
  const signer = options.signer ?? good
  const all: SignatureOptions = {
    contentType: data,
    content,
    detached: true,
    signer,
    issuer: parent.subject,
    certificates: [signer.der, root.der],
    ...options,
  }
  if (stamp === undefined) return signedData(all)
  let value: Uint8Array = new Uint8Array()
  signedData({ ...all, alter: (made) => (value = made) })
  const unsigned = [attribute('1.2.840.113549.1.9.16.2.14', stamp(value)), ...(options.unsigned ?? [])]
  return signedData({ ...all, unsigned, alter: () => value })
}

const stampOver = (bytes: Uint8Array, genTime = new Date('2026-06-01T10:00:00Z')): Uint8Array =>
  signedData({
    contentType: tstInfo,
    content: stampInfo({ digest: digestOf(bytes), genTime }),
    signer: unit,
    issuer: root.subject,
    certificates: [unit.der, root.der],
  })
const as = (options: Partial<CertificateOptions>): Options => ({ signer: person(options) })
const crl = (...entries: Parameters<typeof revocationList>[1]): Options => ({
  crls: [revocationList(root, entries, day('2026-11-20'))],
})
const signedAt = (at: string): Options => ({ attributes: [attribute('1.2.840.113549.1.9.5', time(day(at)))] })
const under = (parent: Issued): Options => {
  const signer = person({}, parent)
  return { signer, parent, certificates: [signer.der, parent.der, root.der] }
}

type Expected = Vector & {
  given?: 'content' | 'other content' | 'nothing'
  level?: string
}

const vectors: Expected[] = [
  { file: 'good.p7s', bytes: signature(), finds: {} },
  {
    file: 'good-rsa.p7s',
    bytes: signature({ signer: rsaPerson, parent: rsaRoot, certificates: [rsaPerson.der] }),
    roots: 'rsa-root',
    finds: {},
  },
  {
    file: 'old-certificates.p7s',
    bytes: signature({ signer: oldPerson, parent: oldRoot, serialElement: negative, certificates: [oldPerson.der] }),
    roots: 'old-root',
    finds: { octets: 'noted certificate_form' },
  },
  { file: 'two-signers.p7s', bytes: signature({ signers: 2 }), finds: {} },
  { file: 'unsorted.p7s', bytes: signature({ unsorted: 'signed as sent' }), finds: { octets: 'noted unsorted' } },
  { file: 'unsorted-signed-sorted.p7s', bytes: signature({ unsorted: 'signed sorted' }), finds: { octets: 'noted unsorted' } },
  {
    file: 'repeated-attribute.p7s',
    bytes: signature({ attributes: [attribute('1.2.840.113549.1.9.3', oid(data), oid(data))] }),
    finds: { content_type: 'failed attribute_repeated', octets: 'noted repeated_attribute' },
  },
  {
    file: 'digest-algorithms.p7s',
    bytes: signature({ digestAlgorithms: [] }),
    finds: { octets: 'indeterminate digest_algorithms' },
  },
  {
    file: 'more-digest-algorithms.p7s',
    bytes: signature({ digestAlgorithms: [sequence(oid('1.3.14.3.2.26')), sha256Id] }),
    finds: { octets: 'noted several_digest_algorithms' },
  },
  {
    file: 'key-as-algorithm.p7s',
    bytes: signature({ signatureAlgorithm: sequence(oid('1.2.840.10045.2.1')) }),
    finds: { octets: 'indeterminate algorithm_parameters' },
  },
  {
    file: 'other-digest-in-algorithm.p7s',
    bytes: signature({ signatureAlgorithm: sequence(oid('1.2.840.10045.4.3.3')) }),
    finds: { signature: 'indeterminate algorithm_mismatch' },
  },
  {
    file: 'unknown-algorithm.p7s',
    bytes: signature({ signatureAlgorithm: sequence(oid('1.2.643.7.1.1.3.2')) }),
    finds: { signature: 'indeterminate unknown_algorithm' },
  },
  { file: 'good-ed25519.p7s', bytes: signature({ signer: edPerson, certificates: [edPerson.der, root.der] }), finds: {} },
  { file: 'good.p7s.pem', bytes: pem('CMS', signature()), finds: {} },
  { file: 'enclosed.p7m', bytes: signature({ detached: false }), given: 'nothing', finds: {} },
  { file: 'enclosed.p7m', bytes: signature({ detached: false }), finds: {} },
  { file: 'signed-at.p7s', bytes: signature(signedAt('2026-06-01')), finds: {} },
  {
    file: 'stamped.p7s',
    bytes: signature({ stamp: stampOver }),
    level: 'CAdES B-T',
    finds: {},
  },
  {
    file: 'stamped-then-expired.p7s',
    bytes: signature({ ...as({ until: day('2026-08-01') }), stamp: stampOver }),
    level: 'CAdES B-T',
    finds: { current: 'noted expired_since' },
  },
  { file: 'plain.p7s', bytes: signature({ names: null }), level: 'CMS', finds: { signing_certificate: 'noted not_named' } },
  { file: 'truncated.p7s', bytes: signature().subarray(0, -9), finds: { form: 'failed malformed' }, unusable: true },
  { file: 'text.p7s', bytes: utf8('Dear Sir,'), finds: { form: 'failed not_asn1' }, unusable: true },
  {
    file: 'good.p7s',
    bytes: signature(),
    given: 'nothing',
    finds: { content: 'indeterminate content_absent', message_digest: 'indeterminate content_absent' },
  },
  {
    file: 'enclosed.p7m',
    bytes: signature({ detached: false }),
    given: 'other content',
    finds: { content: 'failed content_differs' },
  },
  { file: 'no-certificate.p7s', bytes: signature({ certificates: [] }), finds: { signer: 'indeterminate certificate_absent' } },
  { file: 'content-type.p7s', bytes: signature({ statedType: tstInfo }), finds: { content_type: 'failed other_content_type' } },
  { file: 'good.p7s', bytes: signature(), given: 'other content', finds: { message_digest: 'failed other_content' } },
  {
    file: 'names-other.p7s',
    bytes: signature({ names: otherRoot.der }),
    finds: { signing_certificate: 'failed other_certificate' },
  },
  {
    file: 'names-issuer.p7s',
    bytes: signature({ names: root.der }),
    finds: { signing_certificate: 'indeterminate names_issuer' },
  },
  { file: 'signature.p7s', bytes: signature({ alter: falsified }), finds: { signature: 'failed false_signature' } },
  {
    file: 'stamp-over-other.p7s',
    bytes: signature({ stamp: () => stampOver(utf8('other')) }),
    finds: { signature_timestamp: 'failed timestamp_failed' },
  },
  {
    file: 'stamp-unreadable.p7s',
    bytes: signature({ stamp: () => octetString(Uint8Array.of(1)) }),
    finds: { signature_timestamp: 'indeterminate timestamp_unreadable' },
  },
  {
    file: 'signed-later.p7s',
    bytes: signature(signedAt('2027-06-01')),
    finds: { signing_time: 'indeterminate later_than_proven' },
  },
  { file: 'key-usage.p7s', bytes: signature(as({ usage: [2] })), finds: { key_usage: 'failed other_key_usage' } },
  { file: 'not-an-authority.p7s', bytes: signature(under(notAuthority)), finds: { chain: 'failed not_an_authority' } },
  {
    file: 'expired.p7s',
    bytes: signature(as({ until: day('2026-08-01') })),
    finds: { validity: 'indeterminate expired_undated', current: 'noted expired_since' },
  },
  {
    file: 'expired-before-stamp.p7s',
    bytes: signature({ ...as({ until: day('2026-05-01') }), stamp: stampOver }),
    finds: { validity: 'failed expired', current: 'noted expired_since' },
  },
  {
    file: 'not-yet-valid.p7s',
    bytes: signature(as({ from: day('2027-01-01') })),
    finds: { validity: 'failed not_yet_valid' },
  },
  { file: 'weak-key.p7s', bytes: signature(as({ key: weakKey })), finds: { algorithms: 'indeterminate weak_then' } },
  { file: 'good.p7s', bytes: signature(), roots: 'other-root', finds: { trust: 'indeterminate not_among_roots' } },
  { file: 'good.p7s', bytes: signature(), roots: '', finds: { trust: 'indeterminate no_roots' } },
  {
    file: 'revoked.p7s',
    bytes: signature(crl({ serial: 200, at: day('2026-05-01') })),
    finds: { revocation: 'failed revoked_before', octets: 'noted revocation_enclosed' },
  },
  {
    file: 'archived.p7s',
    bytes: grown([steps.signature('2026-06-01T10:00:00Z'), steps.version3('2026-09-01T10:00:00Z')]),
    roots: 'later-root',
    level: 'CAdES B-T',
    finds: { current: 'noted expired_since' },
  },
  {
    file: 'archived-other.p7s',
    bytes: grown([steps.signature('2026-06-01T10:00:00Z'), () => steps.version3('2026-09-01T10:00:00Z')(grown([]), content)]),
    roots: 'later-root',
    level: 'CAdES B-T',
    finds: { archive: 'failed timestamp_failed', current: 'noted expired_since' },
  },
  {
    file: 'countersigned.p7s',
    bytes: grown([steps.signature('2026-06-01T10:00:00Z'), steps.counter()]),
    roots: 'later-root',
    level: 'CAdES B-T',
    finds: { current: 'noted expired_since' },
  },
  {
    file: 'countersigned-other.p7s',
    bytes: grown([steps.signature('2026-06-01T10:00:00Z'), steps.counter(content)]),
    roots: 'later-root',
    level: 'CAdES B-T',
    finds: { countersignature: 'failed other_content', current: 'noted expired_since' },
  },
  {
    file: 'values.p7s',
    bytes: signature({ unsigned: [attribute('1.2.840.113549.1.9.16.2.23', sequence(root.der))] }),
    finds: { unsigned: 'noted attributes_unsigned' },
  },
  {
    file: 'unsigned.p7s',
    bytes: signature({ unsigned: [attribute('1.3.6.1.4.1.99999.7', oid('1.2.3'))] }),
    finds: { unsigned: 'indeterminate not_evaluated' },
  },
  { file: 'cms-version.p7s', bytes: signature({ version: 3 }), finds: { octets: 'indeterminate version' } },
  {
    file: 'stray-certificate.p7s',
    bytes: signature({ certificates: [good.der, root.der, stray.der] }),
    finds: { octets: 'indeterminate certificate_unsigned' },
  },
  { file: 'indefinite.p7s', bytes: indefinite(signature()), finds: { octets: 'noted ber' } },
  {
    file: 'critical-extension.p7s',
    bytes: signature(as({ extensions: [extension('1.3.6.1.4.1.99999.9', octetString(Uint8Array.of(1)), true)] })),
    finds: { chain: 'indeterminate critical_extension' },
  },
]

await writeVectors('cms', {
  vectors,
  roots: { root, 'later-root': laterRoot, 'old-root': oldRoot, 'rsa-root': rsaRoot, 'other-root': otherRoot },
  files: { 'content.txt': content },
})
