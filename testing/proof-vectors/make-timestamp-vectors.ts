import { utf8 } from '../../kernel/bytes.ts'
import {
  contextPrimitive,
  generalizedTime,
  integer,
  octetString,
  sequence,
  utf8String,
} from '../../modules/sealing/server/encoding/write-der.ts'
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
  nameOf,
  oid,
  pem,
  response,
  revocationList,
  rsaKey,
  signedData,
  stampInfo,
  timeStamping,
  tstInfo,
} from './issue.ts'
import type { CertificateOptions, Issued, SignatureOptions, StampOptions } from './issue.ts'
import { writeVectors } from './write-vectors.ts'
import type { Vector } from './write-vectors.ts'

/**
 * Writes the vectors of time stamps: `node testing/proof-vectors/make-timestamp-vectors.ts`. Each is right but for what its name
 * says, and the table says which check must notice, and that no other one may.
 */
const document = utf8('Probant test document\n')

const root = authority('Vector root', keyOf(1), 1)
const otherRoot = authority('Other root', keyOf(2), 1)
const unit = (options: Partial<CertificateOptions> = {}, issuer = root): Issued =>
  certificate({ name: 'Vector time-stamping unit', serial: 100, key: keyOf(3), purposes: [timeStamping], ...options }, issuer)
const good = unit()

type TokenOptions = Partial<SignatureOptions> & { info?: Partial<StampOptions>; parent?: Issued }

function token({ info, parent = root, ...options }: TokenOptions = {}): Uint8Array {
  const signer = options.signer ?? good
  return signedData({
    contentType: tstInfo,
    content: stampInfo({ digest: digestOf(document), ...info }),
    signer,
    issuer: parent.subject,
    certificates: [signer.der, root.der],
    ...options,
  })
}

const rsaRoot = authority('Vector RSA root', rsaKey(2048), 1)
const rsaUnit = unit({ key: rsaKey(2048) }, rsaRoot)
const rsa: TokenOptions = { signer: rsaUnit, parent: rsaRoot, certificates: [rsaUnit.der] }

/** Smaller than anybody should accept. */
const weakKey = rsaKey(1024)

const stray = authority('Vector stray', keyOf(9), 77, {}, otherRoot)
const notAuthority = certificate({ name: 'Vector person', serial: 50, key: keyOf(5), usage: [0, 5] }, root)
const shortRoot = authority('Vector short root', keyOf(6), 1, { authority: { pathLength: 0 } })
const middle = authority('Vector middle', keyOf(7), 60, {}, shortRoot)
const strangeRoot = authority('Vector strange root', keyOf(8), 1, {
  extensions: [extension('1.3.6.1.4.1.99999.9', octetString(Uint8Array.of(1)), true)],
})

const under = (parent: Issued, more: readonly Issued[] = []): TokenOptions => {
  const signer = unit({}, parent)
  return { signer, parent, certificates: [signer.der, parent.der, ...more.map(({ der }) => der)] }
}
const as = (options: Partial<CertificateOptions>): TokenOptions => ({ signer: unit(options) })
const crl = (...entries: Parameters<typeof revocationList>[1]): TokenOptions => ({
  crls: [revocationList(root, entries, day('2026-07-01'))],
})
const request = sequence(integer(1), sequence(sequence(oid('2.16.840.1.101.3.4.2.1')), octetString(digestOf(document))))

type Expected = Vector & {
  given?: 'document' | 'other document' | 'nothing' | 'sha1'
  nonce?: string
  list?: 'granted' | 'withdrawn'
}

const vectors: Expected[] = [
  { file: 'good.tsr', bytes: response(token()), finds: {} },
  { file: 'good.tst', bytes: token(), finds: {} },
  { file: 'good-rsa.tst', bytes: token(rsa), roots: 'rsa-root', finds: {} },
  { file: 'good.pem', bytes: pem('TIMESTAMP', token()), finds: {} },
  {
    file: 'good-sha512.tsr',
    bytes: response(token({ info: { digest: digestOf(document, 'sha512'), algorithm: '2.16.840.1.101.3.4.2.3' } })),
    finds: {},
  },
  {
    file: 'good-sha3.tsr',
    bytes: response(token({ info: { digest: digestOf(document, 'sha3-256'), algorithm: '2.16.840.1.101.3.4.2.8' } })),
    finds: {},
  },
  { file: 'good-with-mods.tsr', bytes: response(token(), 1), finds: {} },
  { file: 'good-named.tsr', bytes: response(token({ info: { authority: good.subject } })), finds: {} },
  { file: 'good-nonce.tsr', bytes: response(token({ info: { nonce: 0xbeef } })), nonce: 'beef', finds: {} },
  {
    file: 'good-nonce.tsr',
    bytes: response(token({ info: { nonce: 0xbeef } })),
    nonce: 'beee',
    finds: { nonce: 'failed other_nonce' },
  },
  { file: 'good.tsr', bytes: response(token()), nonce: '01', finds: { nonce: 'failed nonce_absent' } },
  { file: 'truncated.tsr', bytes: response(token()).subarray(0, -7), finds: { form: 'failed malformed' }, unusable: true },
  {
    file: 'trailing.tsr',
    bytes: Buffer.concat([response(token()), Buffer.of(1)]),
    finds: { form: 'failed malformed' },
    unusable: true,
  },
  { file: 'request.tsq', bytes: request, finds: { form: 'failed request' }, unusable: true },
  { file: 'text.tsr', bytes: utf8('<html>Service unavailable</html>'), finds: { form: 'failed not_asn1' }, unusable: true },
  {
    file: 'other-signature.p7s',
    bytes: token({ contentType: data, content: document }),
    finds: { form: 'failed not_a_token' },
    unusable: true,
  },
  { file: 'refused.tsr', bytes: response(undefined, 2, 'No SHA-1, please', 0), finds: { status: 'failed bad_alg' } },
  { file: 'refused-time.tsr', bytes: response(undefined, 2, undefined, 14), finds: { status: 'failed time_not_available' } },
  { file: 'refused-silent.tsr', bytes: response(undefined, 2), finds: { status: 'failed rejection' } },
  { file: 'waiting.tsr', bytes: response(undefined, 3), finds: { status: 'failed waiting' } },
  { file: 'granted-empty.tsr', bytes: response(undefined, 0), finds: { status: 'failed token_absent' } },
  { file: 'refused-with-token.tsr', bytes: response(token(), 5), finds: { status: 'failed revocation_notification' } },
  { file: 'version-2.tsr', bytes: response(token({ info: { version: 2 } })), finds: { info: 'failed other_version' } },
  {
    file: 'info-extension.tsr',
    bytes: response(token({ info: { extension: extension('1.3.6.1.4.1.99999.8', octetString(Uint8Array.of(1)), true) } })),
    finds: { info: 'indeterminate info_extension' },
  },
  { file: 'good.tsr', bytes: response(token()), given: 'other document', finds: { imprint: 'failed other_data' } },
  { file: 'good.tsr', bytes: response(token()), given: 'nothing', finds: { imprint: 'indeterminate nothing_to_compare' } },
  { file: 'good.tsr', bytes: response(token()), given: 'sha1', finds: { imprint: 'indeterminate other_algorithm_given' } },
  {
    file: 'imprint-length.tsr',
    bytes: response(token({ info: { digest: digestOf(document).subarray(1) } })),
    finds: { imprint: 'failed imprint_length' },
  },
  {
    file: 'imprint-sha1.tsr',
    bytes: response(token({ info: { digest: digestOf(document, 'sha1'), algorithm: '1.3.14.3.2.26' } })),
    finds: { imprint_algorithm: 'indeterminate weak_then' },
  },
  {
    file: 'accuracy-range.tsr',
    bytes: response(token({ info: { millis: 5000 } })),
    finds: { accuracy: 'indeterminate accuracy_range' },
  },
  {
    file: 'future.tsr',
    bytes: response(token({ info: { genTime: day('2027-01-01') } })),
    finds: { clock: 'indeterminate later_than_now' },
  },
  {
    file: 'no-certificate.tsr',
    bytes: response(token({ certificates: [] })),
    finds: { signer: 'indeterminate certificate_absent' },
  },
  { file: 'two-signers.tsr', bytes: response(token({ signers: 2 })), finds: { signer: 'failed several_signers' } },
  {
    file: 'content-type.tsr',
    bytes: response(token({ statedType: data })),
    finds: { content_type: 'failed other_content_type' },
  },
  {
    file: 'message-digest.tsr',
    bytes: response(token({ statedDigest: digestOf(utf8('other')) })),
    finds: { message_digest: 'failed other_content' },
  },
  { file: 'names-none.tsr', bytes: response(token({ names: null })), finds: { signing_certificate: 'failed attribute_absent' } },
  {
    file: 'names-other.tsr',
    bytes: response(token({ names: otherRoot.der })),
    finds: { signing_certificate: 'failed other_certificate' },
  },
  {
    file: 'names-issuer.tsr',
    bytes: response(token({ names: root.der })),
    finds: { signing_certificate: 'indeterminate names_issuer' },
  },
  { file: 'signature.tsr', bytes: response(token({ alter: falsified })), finds: { signature: 'failed false_signature' } },
  {
    file: 'purpose-absent.tsr',
    bytes: response(token({ signer: certificate({ name: 'Vector time-stamping unit', serial: 101, key: keyOf(3) }, root) })),
    finds: { purpose: 'failed purpose_absent' },
  },
  {
    file: 'purpose-other.tsr',
    bytes: response(token(as({ purposes: ['1.3.6.1.5.5.7.3.3'] }))),
    finds: { purpose: 'failed other_purpose' },
  },
  {
    file: 'purpose-several.tsr',
    bytes: response(token(as({ purposes: [timeStamping, '1.3.6.1.5.5.7.3.3'] }))),
    finds: { purpose: 'failed several_purposes' },
  },
  {
    file: 'purpose-not-critical.tsr',
    bytes: response(token(as({ purposesCritical: false }))),
    finds: { purpose: 'failed purpose_not_critical' },
  },
  { file: 'key-usage-more.tsr', bytes: response(token(as({ usage: [0, 2] }))), finds: { key_usage: 'failed other_key_usage' } },
  { file: 'key-usage.tsr', bytes: response(token(as({ usage: [2] }))), finds: { key_usage: 'failed other_key_usage' } },
  {
    file: 'signer-is-authority.tsr',
    bytes: response(token(as({ authority: true, usage: [0, 5] }))),
    finds: { key_usage: 'failed signer_is_authority' },
  },
  {
    file: 'authority-name.tsr',
    bytes: response(token({ info: { authority: nameOf('Somebody else') } })),
    finds: { authority_name: 'indeterminate other_authority_name' },
  },
  {
    file: 'not-an-authority.tsr',
    bytes: response(token(under(notAuthority, [root]))),
    finds: { chain: 'failed not_an_authority' },
  },
  {
    file: 'path-length.tsr',
    bytes: response(token(under(middle, [shortRoot]))),
    roots: 'short-root',
    finds: { chain: 'failed path_length' },
  },
  {
    file: 'critical-extension.tsr',
    bytes: response(token(under(strangeRoot))),
    roots: 'strange-root',
    finds: { chain: 'indeterminate critical_extension' },
  },
  {
    file: 'expired.tsr',
    bytes: response(token(as({ until: day('2026-05-01') }))),
    finds: { validity: 'failed expired', current: 'noted expired_since' },
  },
  {
    file: 'not-yet-valid.tsr',
    bytes: response(token(as({ from: day('2026-07-01') }))),
    finds: { validity: 'failed not_yet_valid' },
  },
  {
    file: 'private-key-period.tsr',
    bytes: response(
      token(
        as({
          extensions: [extension('2.5.29.16', sequence(contextPrimitive(1, generalizedTime(day('2026-05-01')).subarray(2))))],
        }),
      ),
    ),
    finds: { validity: 'indeterminate private_key_period' },
  },
  { file: 'weak-key.tsr', bytes: response(token(as({ key: weakKey }))), finds: { algorithms: 'indeterminate weak_then' } },
  { file: 'good.tsr', bytes: response(token()), roots: 'other-root', finds: { trust: 'indeterminate not_among_roots' } },
  { file: 'good.tsr', bytes: response(token()), roots: '', finds: { trust: 'indeterminate no_roots' } },
  { file: 'good.tsr', bytes: response(token()), list: 'granted', finds: {} },
  { file: 'good.tsr', bytes: response(token()), list: 'withdrawn', finds: { qualified: 'noted qualified_not_granted' } },
  {
    file: 'signature.tsr',
    bytes: response(token({ alter: falsified })),
    list: 'granted',
    finds: { signature: 'failed false_signature', qualified: 'noted qualified_unproved' },
  },
  { file: 'not-revoked.tsr', bytes: response(token(crl())), finds: { octets: 'noted revocation_enclosed' } },
  {
    file: 'revoked-before.tsr',
    bytes: response(token(crl({ serial: 100, at: day('2026-05-01'), reason: 4 }))),
    finds: { revocation: 'failed revoked_before', octets: 'noted revocation_enclosed' },
  },
  {
    file: 'revoked-compromised.tsr',
    bytes: response(token(crl({ serial: 100, at: day('2026-06-20'), reason: 1 }))),
    finds: { revocation: 'failed revoked_compromised', octets: 'noted revocation_enclosed' },
  },
  {
    file: 'superseded.tsr',
    bytes: response(token(crl({ serial: 100, at: day('2026-06-20'), reason: 4 }))),
    finds: { octets: 'noted revocation_enclosed' },
  },
  {
    file: 'expired-since.tsr',
    bytes: response(token(as({ until: day('2026-08-01') }))),
    finds: { current: 'noted expired_since' },
  },
  {
    file: 'unsigned.tsr',
    bytes: response(token({ unsigned: [attribute('1.3.6.1.4.1.99999.7', utf8String('note'))] })),
    finds: { unsigned: 'indeterminate not_evaluated' },
  },
  { file: 'cms-version.tsr', bytes: response(token({ version: 1 })), finds: { octets: 'indeterminate version' } },
  {
    file: 'stray-certificate.tsr',
    bytes: response(token({ certificates: [good.der, root.der, stray.der] })),
    finds: { octets: 'indeterminate certificate_unsigned' },
  },
  { file: 'indefinite.tst', bytes: indefinite(token()), finds: { octets: 'noted ber' } },
  { file: 'padded.tst', bytes: Buffer.concat([token(), Buffer.alloc(5)]), finds: { octets: 'noted padding' } },
  { file: 'text.tsr-text', bytes: response(token(), 0, 'Operation okay'), finds: { octets: 'noted response_text' } },
]

await writeVectors('timestamp', {
  vectors,
  roots: { root, 'rsa-root': rsaRoot, 'other-root': otherRoot, 'short-root': shortRoot, 'strange-root': strangeRoot },
  files: { 'document.txt': document },
})
