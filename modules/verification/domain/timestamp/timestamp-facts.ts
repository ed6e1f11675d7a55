import { toHex } from '../../../../kernel/bytes.ts'
import { embeddedPolicy } from '../certificate/object-ids.ts'
import type { AnySigner } from '../cms/read-cms.ts'
import { labelOf } from '../certificate/strength.ts'
import type { Fact } from '../report/proof-report.ts'
import type { Certificate } from '../certificate/x509.ts'
import { seconds } from './check-info.ts'
import type { TstInfo } from './read-tst-info.ts'

export function factsOf(info: TstInfo, signer?: AnySigner): Fact[] {
  const facts: Fact[] = [
    { id: 'gen_time', value: info.genTime.toISOString(), form: 'instant' },
    { id: 'serial', value: info.serial, form: 'hex' },
    { id: 'policy', value: info.policy, form: 'text' },
    { id: 'imprint_algorithm', value: info.algorithm === undefined ? info.algorithmId : labelOf(info.algorithm), form: 'text' },
    { id: 'imprint', value: toHex(info.imprint), form: 'hex' },
  ]
  if (info.accuracy !== undefined) facts.push({ id: 'accuracy', value: `${seconds(info.accuracy)} s`, form: 'text' })
  if (info.nonce !== undefined) facts.push({ id: 'nonce', value: info.nonce, form: 'hex' })
  if (info.ordering) facts.push({ id: 'ordering', value: 'yes', form: 'word' })
  if (info.policy === embeddedPolicy) facts.push({ id: 'embedded', value: 'yes', form: 'word' })
  if (signer?.certificate !== undefined) facts.push({ id: 'authority', value: signer.certificate.name, form: 'text' })
  return facts
}

export function certificateFacts(certificate: Certificate, top: Certificate): Fact[] {
  return [
    { id: 'certificate_sha256', value: certificate.sha256, form: 'hex' },
    { id: 'certificate_expires', value: certificate.notAfter.toISOString(), form: 'instant' },
    { id: 'top_name', value: top.name, form: 'text' },
    { id: 'top_sha256', value: top.sha256, form: 'hex' },
  ]
}

export const timestampFactIds = [
  'gen_time',
  'serial',
  'policy',
  'imprint_algorithm',
  'imprint',
  'accuracy',
  'nonce',
  'ordering',
  'embedded',
  'authority',
  'certificate_sha256',
  'certificate_expires',
  'top_name',
  'top_sha256',
] as const
