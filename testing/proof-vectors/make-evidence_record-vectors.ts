import { concatBytes, toHex, utf8 } from '../../kernel/bytes.ts'
import { contextConstructed, integer, octetString, sequence } from '../../modules/sealing/server/encoding/write-der.ts'
import { chainsOf, laterRoot, laterStampOver, recordOf, shortUnit, stampOver, stampRoot } from './evidence-records.ts'
import type { WrittenRecord, WrittenTimestamp } from './evidence-records.ts'
import { writeGallery } from './gallery.ts'
import type { Case } from './gallery.ts'
import { attribute, authority, day, digestOf, falsified, indefinite, keyOf, oid, pem, response, revocationList } from './issue.ts'

/**
 * Writes the vectors of evidence records: `node testing/proof-vectors/make-evidence_record-vectors.ts`. Each is right but for what its
 * name says; trees, renewals and DER are calculated here from RFC 4998, by nothing of the verifier.
 */
const text = 'Probant test document\n'
const document = utf8(text)
const own = digestOf(document)
const [b, c, d, e] = ['b', 'c', 'd', 'e'].map((each) => digestOf(utf8(each))) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array]
const hex = toHex(own)

/** Of values in binary ascending order, concatenated. */
const node = (values: readonly Uint8Array[], algorithm = 'sha256'): Uint8Array =>
  digestOf(concatBytes(...values.map((each) => Buffer.from(each)).toSorted((x, y) => Buffer.compare(x, y))), algorithm)
const ascending = (values: readonly Uint8Array[]): Uint8Array[] =>
  values.map((each) => Buffer.from(each)).toSorted((x, y) => Buffer.compare(x, y))

const batch = [[own], [b], [c]]
const batchRoot = node([node([own, b]), c])
const stamped = (lists: readonly (readonly Uint8Array[])[], root: Uint8Array): WrittenTimestamp => ({
  lists,
  token: stampOver(root),
})
const lone = (token: Uint8Array): WrittenRecord => ({ chains: [[{ token }]] })

const first: WrittenTimestamp = stamped(batch, batchRoot)
const covering = (before: WrittenTimestamp): Uint8Array => digestOf(before.token)
const renewal: WrittenTimestamp = {
  lists: [[covering(first)], [d]],
  token: laterStampOver(node([covering(first), d]), day('2030-06-01')),
}
const renewed = [first, renewal]
const rehash = (chains: WrittenRecord['chains'], algorithm: 'sha384' | 'sha512'): Uint8Array =>
  digestOf(concatBytes(digestOf(document, algorithm), digestOf(chainsOf(chains), algorithm)), algorithm)
const newChain: WrittenTimestamp = {
  algorithm: 'sha512',
  token: laterStampOver(rehash([renewed], 'sha512'), day('2034-06-01'), { algorithm: 'sha512' }),
}
const whole: WrittenRecord = { algorithms: ['sha256', 'sha512'], chains: [renewed, [newChain]] }

const later = { now: '2045-01-01T00:00:00Z' }
const given = { document: text }
const right = (name: string, bytes: Uint8Array, more: Partial<Case> = {}): Case => ({
  name,
  bytes,
  input: given,
  finds: {},
  ...more,
})

const group = ascending([own, d, e])
const good = recordOf({ chains: [[first]] })
const many = Array.from({ length: 40 }, (_, i) => digestOf(utf8(`m${i}`)))

const cases: Case[] = [
  right('a document of a batch, in its record', good, { file: 'good.ers' }),
  right('the same by its digest alone', good, { file: 'good.ers', input: { digest: hex } }),
  right('the same in PEM', pem('EVIDENCE RECORD', good), { file: 'good.pem' }),
  right('a document by itself: no tree', recordOf(lone(stampOver(own))), { file: 'lone.ers' }),
  right(
    'its sibling in the first list, as the RFC draws it',
    recordOf({ chains: [[stamped([ascending([own, b]), [c]], batchRoot)]] }),
    {
      editOf: 'good.ers',
    },
  ),
  right('a group of three documents, and another one', recordOf({ chains: [[stamped([group, [b]], node([node(group), b]))]] }), {
    editOf: 'good.ers',
  }),
  right(
    'a tree of forty lists',
    recordOf({
      chains: [
        [
          stamped(
            [[own], ...many.map((each) => [each])],
            many.reduce((x, y) => node([x, y]), own),
          ),
        ],
      ],
    }),
    {
      file: 'high.ers',
    },
  ),
  right('a tree whose algorithm is that of its time stamp', recordOf({ chains: [[{ ...first, algorithm: null }]] }), {
    editOf: 'good.ers',
  }),
  right('a renewed time stamp, its certificates ended', recordOf({ chains: [renewed] }), { file: 'renewed.ers', known: later }),
  right(
    'a renewal that covers every time stamp before it',
    recordOf({
      chains: [
        [
          ...renewed,
          {
            lists: [ascending([covering(first), covering(renewal)])],
            token: laterStampOver(node([covering(first), covering(renewal)]), day('2036-06-01')),
          },
        ],
      ],
    }),
    { editOf: 'renewed.ers', known: later },
  ),
  right('renewed, then hashed anew by SHA-512', recordOf(whole), { file: 'whole.ers', known: later }),
  right(
    'the same in a tree of its own',
    recordOf({
      ...whole,
      chains: [
        renewed,
        [
          {
            algorithm: 'sha512',
            lists: [[rehash([renewed], 'sha512')], [digestOf(b, 'sha512')]],
            token: laterStampOver(node([rehash([renewed], 'sha512'), digestOf(b, 'sha512')], 'sha512'), day('2034-06-01'), {
              algorithm: 'sha512',
            }),
          },
        ],
      ],
    }),
    { editOf: 'whole.ers', known: later },
  ),

  right('cut short', good.subarray(0, -9), { editOf: 'good.ers', finds: { form: 'failed malformed' } }),
  right('a byte after its end', concatBytes(good, Uint8Array.of(1)), { editOf: 'good.ers', finds: { form: 'failed malformed' } }),
  right('a text', utf8('Evidence'), { file: 'text.ers', finds: { form: 'failed not_asn1' } }),
  right('a time stamp instead', response(stampOver(own)), { file: 'stamp.tsr', finds: { form: 'failed malformed' } }),
  right('without time stamps', recordOf({ chains: [] }), { file: 'empty.ers', finds: { form: 'failed malformed' } }),
  right('a chain without time stamps', recordOf({ chains: [[]] }), {
    file: 'empty-chain.ers',
    finds: { form: 'failed malformed' },
  }),
  right(
    'in XML, without time stamps',
    utf8('<?xml version="1.0"?>\n<EvidenceRecord xmlns="urn:ietf:params:xml:ns:ers" Version="1.0"/>\n'),
    {
      file: 'record.xml',
      finds: { form: 'failed malformed' },
    },
  ),
  right('version 2', recordOf({ version: 2, chains: [[first]] }), {
    editOf: 'good.ers',
    finds: { version: 'failed other_version' },
  }),
  right('an algorithm listed that is not used', recordOf({ algorithms: ['sha256', 'sha512'], chains: [[first]] }), {
    editOf: 'good.ers',
    finds: { algorithms_listed: 'indeterminate algorithms_differ' },
  }),
  right('an algorithm used that is not listed', recordOf({ ...whole, algorithms: ['sha256'] }), {
    editOf: 'whole.ers',
    known: later,
    finds: { algorithms_listed: 'indeterminate algorithms_differ' },
  }),
  right('over another document', good, {
    file: 'good.ers',
    input: { document: 'other' },
    finds: { document: 'failed other_document' },
  }),
  right('with nothing to compare', good, {
    file: 'good.ers',
    input: {},
    finds: { document: 'indeterminate nothing_to_compare' },
  }),
  right('with a digest of another algorithm', good, {
    file: 'good.ers',
    input: { digest: toHex(digestOf(document, 'sha512')) },
    finds: { document: 'indeterminate other_algorithm_given' },
  }),
  right('over what was encrypted', recordOf({ encryptionInfo: true, chains: [[first]] }), {
    editOf: 'good.ers',
    input: { document: 'other' },
    finds: { document: 'indeterminate encrypted', unprotected: 'noted members_unprotected' },
  }),
  right('a sibling changed', recordOf({ chains: [[stamped([[own], [b], [d]], batchRoot)]] }), {
    editOf: 'good.ers',
    finds: { hash_tree: 'failed other_root' },
  }),
  right('a list too many', recordOf({ chains: [[stamped([...batch, [d]], batchRoot)]] }), {
    editOf: 'good.ers',
    finds: { hash_tree: 'failed other_root' },
  }),
  right('a sibling cut', recordOf({ chains: [[stamped([[own], [b], [c.subarray(1)]], batchRoot)]] }), {
    editOf: 'good.ers',
    finds: { hash_tree: 'failed value_length' },
  }),
  right('an empty list', recordOf({ chains: [[stamped([[own], [], [b], [c]], batchRoot)]] }), {
    editOf: 'good.ers',
    finds: { hash_tree: 'failed empty_list' },
  }),
  right(
    'a tree by an algorithm that is not the stamp’s',
    recordOf({
      chains: [[{ lists: batch, token: stampOver(batchRoot, { algorithm: 'sha512' }) }]],
    }),
    { editOf: 'good.ers', finds: { hash_tree: 'failed other_stamp_algorithm' } },
  ),
  right(
    'a false signature of the time stamp',
    recordOf({ chains: [[{ ...first, token: stampOver(batchRoot, { alter: falsified }) }]] }),
    {
      editOf: 'good.ers',
      finds: { time_stamp: 'failed false_signature' },
    },
  ),
  right('a time stamp of the future', recordOf(lone(stampOver(own, { genTime: day('2027-01-01') }))), {
    editOf: 'lone.ers',
    finds: { time_stamp: 'indeterminate later_than_now' },
  }),
  right(
    'something else than a time stamp',
    recordOf({
      chains: [[{ lists: batch, token: sequence(oid('1.2.840.113549.1.7.1'), contextConstructed(0, octetString(batchRoot))) }]],
    }),
    { file: 'data.ers', finds: { time_stamp: 'failed malformed' } },
  ),
  right('by an authority that is not known', good, {
    file: 'good.ers',
    known: { trust: 'none.pem' },
    finds: { trust: 'indeterminate not_among_roots' },
  }),
  right('no trusted list consulted', good, { file: 'good.ers', finds: { qualified: 'noted qualified_no_list' } }),
  right('nothing said of revocation', good, { file: 'good.ers', finds: { revocation: 'noted revocation_absent' } }),
  right('an authority that states no precision', recordOf(lone(stampOver(own, { millis: null }))), {
    editOf: 'lone.ers',
    finds: { accuracy: 'noted accuracy_absent' },
  }),
  right(
    'something added to the time stamp',
    recordOf(lone(stampOver(own, { unsigned: [attribute('1.2.840.113549.1.9.16.2.23', sequence())] }))),
    {
      editOf: 'lone.ers',
      finds: { unsigned: 'noted attributes_unsigned' },
    },
  ),
  right(
    'a list of revoked certificates enclosed',
    recordOf(lone(stampOver(own, { crls: [revocationList(stampRoot, [], day('2026-07-01'))] }))),
    {
      editOf: 'lone.ers',
      finds: { octets: 'noted revocation_enclosed' },
    },
  ),
  right('certificates that ended since', good, { file: 'good.ers', known: later, finds: { current: 'noted expired_since' } }),
  right(
    'a renewal over another time stamp',
    recordOf({
      chains: [[first, { token: laterStampOver(digestOf(stampOver(b)), day('2030-06-01')) }]],
    }),
    { editOf: 'renewed.ers', known: later, finds: { renewal: 'failed other_timestamp' } },
  ),
  right(
    'a new chain over the document alone',
    recordOf({
      ...whole,
      chains: [
        renewed,
        [
          {
            algorithm: 'sha512',
            token: laterStampOver(digestOf(document, 'sha512'), day('2034-06-01'), { algorithm: 'sha512' }),
          },
        ],
      ],
    }),
    { editOf: 'whole.ers', known: later, finds: { new_chain: 'failed other_chains' } },
  ),
  right(
    'a new chain over other time stamps',
    recordOf({
      ...whole,
      chains: [[first], [newChain]],
    }),
    { editOf: 'whole.ers', known: later, finds: { new_chain: 'failed other_chains' } },
  ),
  right('a new chain, and the digest alone', recordOf(whole), {
    file: 'whole.ers',
    known: later,
    input: { digest: hex },
    finds: { new_chain: 'indeterminate document_wanted' },
  }),
  right(
    'a renewal of before',
    recordOf({
      chains: [[first, { token: stampOver(covering(first), { genTime: day('2026-05-01') }) }]],
    }),
    { editOf: 'renewed.ers', finds: { order: 'failed out_of_order' } },
  ),
  right(
    'renewed after its certificate had ended',
    (() => {
      const short = { lists: batch, token: stampOver(batchRoot, { signer: shortUnit }) }
      return recordOf({ chains: [[short, { token: laterStampOver(covering(short), day('2030-06-01')) }]] })
    })(),
    { editOf: 'renewed.ers', known: later, finds: { in_time: 'indeterminate renewed_late' } },
  ),
  right(
    'two algorithms in one chain',
    recordOf({
      algorithms: ['sha256', 'sha512'],
      chains: [
        [
          first,
          {
            algorithm: 'sha512',
            token: laterStampOver(digestOf(first.token, 'sha512'), day('2030-06-01'), { algorithm: 'sha512' }),
          },
        ],
      ],
    }),
    { editOf: 'renewed.ers', known: later, finds: { chain_algorithm: 'failed other_chain_algorithm' } },
  ),
  right(
    'by SHA-1',
    recordOf({
      algorithms: ['sha1'],
      chains: [[{ algorithm: 'sha1', token: stampOver(digestOf(document, 'sha1'), { algorithm: 'sha1' }) }]],
    }),
    { file: 'sha1.ers', finds: { hash_strength: 'indeterminate weak_then' } },
  ),
  right(
    'by SHA-224, and hashed anew before that ended',
    (() => {
      const weak = { algorithm: 'sha224', token: stampOver(digestOf(document, 'sha224'), { algorithm: 'sha224' }) } as const
      const token = laterStampOver(rehash([[weak]], 'sha384'), day('2028-06-01'), { algorithm: 'sha384' })
      return recordOf({ algorithms: ['sha224', 'sha384'], chains: [[weak], [{ algorithm: 'sha384', token }]] })
    })(),
    { file: 'sha224.ers', known: later },
  ),
  right(
    'by SHA-224, and hashed anew too late',
    (() => {
      const weak = { algorithm: 'sha224', token: stampOver(digestOf(document, 'sha224'), { algorithm: 'sha224' }) } as const
      const token = laterStampOver(rehash([[weak]], 'sha384'), day('2029-06-01'), { algorithm: 'sha384' })
      return recordOf({ algorithms: ['sha224', 'sha384'], chains: [[weak], [{ algorithm: 'sha384', token }]] })
    })(),
    { editOf: 'sha224.ers', known: later, finds: { hash_strength: 'indeterminate weak_since' } },
  ),
  right('attributes that nothing signs', recordOf({ chains: [[{ ...first, attributes: true }]] }), {
    editOf: 'good.ers',
    finds: { unprotected: 'noted members_unprotected' },
  }),
  right('information that nothing signs', recordOf({ cryptoInfos: true, chains: [[first]] }), {
    editOf: 'good.ers',
    finds: { unprotected: 'noted members_unprotected' },
  }),
  right('a list in another order', recordOf({ chains: [[stamped([group.toReversed()], node(group))]] }), {
    editOf: 'good.ers',
    finds: { unprotected: 'noted lists_unsorted' },
  }),
  right('an indefinite length', indefinite(good), { editOf: 'good.ers', finds: { unprotected: 'noted ber' } }),
  right('an end of line after it', concatBytes(good, utf8('\n')), {
    editOf: 'good.ers',
    finds: { unprotected: 'noted padding' },
  }),
  right(
    'an algorithm that is not known',
    sequence(
      integer(1),
      sequence(sequence(oid('1.3.6.1.4.1.99999.5'))),
      sequence(
        sequence(
          sequence(
            contextConstructed(0, oid('1.3.6.1.4.1.99999.5')),
            contextConstructed(2, sequence(octetString(own))),
            stampOver(own),
          ),
        ),
      ),
    ),
    { editOf: 'lone.ers', finds: { document: 'indeterminate unknown_algorithm', hash_tree: 'indeterminate unknown_algorithm' } },
  ),
]

const none = authority('Nobody’s root', keyOf(16), 1)
await writeGallery('evidence_record', {
  known: { trust: 'roots.pem' },
  usual: { qualified: 'noted qualified_no_list', revocation: 'noted revocation_absent' },
  unusable: [
    'cut short',
    'a byte after its end',
    'a text',
    'a time stamp instead',
    'without time stamps',
    'in XML, without time stamps',
    'a chain without time stamps',
  ],
  cases,
  files: {
    'document.txt': document,
    'roots.pem': concatBytes(pem('CERTIFICATE', stampRoot.der), pem('CERTIFICATE', laterRoot.der)),
    'none.pem': pem('CERTIFICATE', none.der),
  },
})
