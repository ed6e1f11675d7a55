import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { readPem } from '../certificate/x509.ts'
import type { Certificate } from '../certificate/x509.ts'
import { countriesOf, keyDigest } from './certificate-identity.ts'
import { qualifiedReasons, qualifiedStatus } from './qualified-status.ts'
import type { ListedService, ServicePeriod, TrustedList, TrustedLists } from '../known/trusted-lists.ts'
import { readTrustedLists } from '../known/trusted-lists.ts'

function certificateOf(subject: string): Certificate {
  const pem = execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '/dev/null', '-subj', subject],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const [certificate] = readPem(pem)
  if (certificate === undefined) throw new Error('openssl made no certificate')
  return certificate
}

const signer = certificateOf('/C=FR/O=Horodatage/CN=Unit 1')
const authority = certificateOf('/C=FR/O=Horodatage/CN=Authority')
const greek = certificateOf('/C=GR/O=Time/CN=Unit 2')
const american = certificateOf('/C=US/O=Time/CN=Unit 3')

const digest = 'a'.repeat(64)
const facts = (territory: string, issued_at: string) => ({
  territory,
  operator: `Operator of ${territory}`,
  sequence_number: 7,
  issued_at,
  next_update: '2026-12-01T00:00:00Z',
  sha256: digest,
  signer_sha256: digest,
  url: `https://example.org/${territory}.xml`,
})
const service = (
  certificate: Certificate,
  history: readonly ServicePeriod[],
  more: Partial<ListedService> = {},
): ListedService => ({
  provider: 'Horodatage SA',
  name: 'Qualified time stamps',
  keys: [keyDigest(certificate)],
  history,
  ...more,
})
const granted: ServicePeriod = { since: '2017-01-01T00:00:00Z', type: 'QTST', status: 'granted' }
const withdrawn: ServicePeriod = { since: '2020-01-01T00:00:00Z', type: 'QTST', status: 'withdrawn' }

function listsOf(services: readonly ListedService[], more: { issued?: string; others?: TrustedList[]; missing?: string[] } = {}) {
  const lists: TrustedLists = {
    format: 'probant-trusted-lists/1',
    made_at: '2026-07-01T00:00:00Z',
    lotl: { ...facts('EU', '2026-06-01T00:00:00Z'), journal: 'C/2026/1944' },
    lists: [{ ...facts('FR', more.issued ?? '2026-05-01T00:00:00Z'), services }, ...(more.others ?? [])],
    pointers: ['FR', ...(more.missing ?? [])].map((territory) => ({ territory, url: '', signers: [digest] })),
  }
  const read = readTrustedLists(JSON.parse(JSON.stringify(lists)))
  if (read === undefined) throw new Error('the lists of the test are not lists')
  return read
}

describe('qualified status at the instant of the stamp (V-19)', () => {
  test.each<[string, Certificate, readonly Certificate[], string, TrustedLists | undefined, string, string]>([
    ['granted', signer, [authority], '2018-01-01T00:00:00Z', listsOf([service(signer, [granted])]), 'qualified', 'granted'],
    [
      'the issuer is listed',
      signer,
      [authority],
      '2018-01-01T00:00:00Z',
      listsOf([service(authority, [granted])]),
      'qualified',
      'granted',
    ],
    [
      'withdrawn later',
      signer,
      [],
      '2019-12-31T23:59:59Z',
      listsOf([service(signer, [withdrawn, granted])]),
      'qualified',
      'granted',
    ],
    [
      'withdrawn then',
      signer,
      [],
      '2020-01-01T00:00:00Z',
      listsOf([service(signer, [withdrawn, granted])]),
      'not_qualified',
      'not_granted',
    ],
    ['no list', signer, [authority], '2018-01-01T00:00:00Z', undefined, 'indeterminate', 'no_list'],
    [
      'list issued before',
      signer,
      [],
      '2026-05-01T00:00:01Z',
      listsOf([service(signer, [granted])]),
      'indeterminate',
      'list_older',
    ],
    [
      'before the service',
      signer,
      [],
      '2016-12-31T23:59:59Z',
      listsOf([service(signer, [granted])]),
      'not_qualified',
      'not_yet_listed',
    ],
    [
      'before the Regulation',
      signer,
      [],
      '2016-06-30T21:59:59Z',
      listsOf([service(signer, [{ ...granted, since: '2010-01-01T00:00:00Z' }])]),
      'not_qualified',
      'before_regulation',
    ],
    [
      'supervised, as the Directive had it',
      signer,
      [],
      '2018-01-01T00:00:00Z',
      listsOf([service(signer, [{ ...granted, status: 'undersupervision' }])]),
      'not_qualified',
      'not_granted',
    ],
    [
      'listed, not as qualified',
      signer,
      [],
      '2018-01-01T00:00:00Z',
      listsOf([service(signer, [{ ...granted, type: 'TSA', status: 'recognisedatnationallevel' }])]),
      'not_qualified',
      'not_qualified_type',
    ],
    [
      'two entries that agree',
      signer,
      [],
      '2018-01-01T00:00:00Z',
      listsOf([service(signer, [granted]), service(signer, [{ ...granted, since: '2022-01-01T00:00:00Z' }])]),
      'qualified',
      'granted',
    ],
    [
      'two entries that contradict',
      signer,
      [],
      '2021-01-01T00:00:00Z',
      listsOf([service(signer, [withdrawn]), service(signer, [granted])]),
      'indeterminate',
      'conflict',
    ],
    [
      'a critical extension nobody knows',
      signer,
      [],
      '2018-01-01T00:00:00Z',
      listsOf([service(signer, [granted], { unknown_critical: true })]),
      'indeterminate',
      'unknown_extension',
    ],
    ['not listed', signer, [authority], '2018-01-01T00:00:00Z', listsOf([]), 'not_qualified', 'not_listed'],
    [
      'not listed, list older',
      signer,
      [authority],
      '2026-05-02T00:00:00Z',
      listsOf([]),
      'indeterminate',
      'not_listed_list_older',
    ],
    ['its list is missing', greek, [], '2018-01-01T00:00:00Z', listsOf([], { missing: ['EL'] }), 'indeterminate', 'list_missing'],
    [
      'another list is missing',
      signer,
      [],
      '2018-01-01T00:00:00Z',
      listsOf([], { missing: ['EL'] }),
      'not_qualified',
      'not_listed',
    ],
    ['no State has it', american, [], '2018-01-01T00:00:00Z', listsOf([]), 'not_qualified', 'not_listed'],
    [
      'no State has it, one list missing',
      american,
      [],
      '2018-01-01T00:00:00Z',
      listsOf([], { missing: ['EL'] }),
      'indeterminate',
      'list_missing',
    ],
  ])('%s', (_title, leaf, issuers, at, lists, status, reason) => {
    expect(qualifiedStatus(leaf, issuers, new Date(at), lists)).toMatchObject({ status, reason })
    expect(qualifiedReasons).toContain(reason)
  })

  test('the answer carries the list, the service and the entry of its history', () => {
    const found = qualifiedStatus(signer, [], new Date('2018-01-01T00:00:00Z'), listsOf([service(signer, [granted])]))
    expect(found).toEqual({
      status: 'qualified',
      reason: 'granted',
      list: facts('FR', '2026-05-01T00:00:00Z'),
      service: { provider: 'Horodatage SA', name: 'Qualified time stamps' },
      period: granted,
    })
  })
})

test('a certificate names its country as the lists write it', () => {
  expect([signer, greek, american].map(countriesOf)).toEqual([['FR'], ['EL'], ['US']])
})

test.each<[string, (lists: Record<string, unknown>) => unknown]>([
  ['another format', (lists) => ({ ...lists, format: 'probant-trusted-lists/2' })],
  ['no list of lists', (lists) => ({ ...lists, lotl: undefined })],
  [
    'a list without number',
    (lists) => ({ ...lists, lists: [{ ...facts('FR', '2026-05-01T00:00:00Z'), sequence_number: '7', services: [] }] }),
  ],
  [
    'a service without history',
    (lists) => ({ ...lists, lists: [{ ...facts('FR', '2026-05-01T00:00:00Z'), services: [service(signer, [])] }] }),
  ],
  [
    'a history out of order',
    (lists) => ({
      ...lists,
      lists: [{ ...facts('FR', '2026-05-01T00:00:00Z'), services: [service(signer, [granted, withdrawn])] }],
    }),
  ],
  ['a date that is none', (lists) => ({ ...lists, made_at: '2026-13-01T00:00:00Z' })],
  ['text', () => 'lists'],
  ['nothing', () => null],
])('what is not the compact form is not read: %s', (_title, alter) => {
  const sound: Record<string, unknown> = { ...listsOf([service(signer, [granted])]) }
  expect(readTrustedLists(sound)).toBeDefined()
  expect(readTrustedLists(alter(sound))).toBeUndefined()
})
