import { toHex } from '../../../../kernel/bytes.ts'
import { type Locale, locales } from '../../../../kernel/locale.ts'
import { createMessages, type MessageId, type MessageValues } from '../../../../platform/messages/messages.ts'
import { attimeOf } from '../certificate/page/verify-commands.ts'
import type { SealedDeposit } from './sealed-deposit.ts'
import type { ChainRenewal } from '../stamps/health-store.ts'
import { recordName } from '../stamps/stamp-chains.ts'

const indent = (text: string) =>
  text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')

/**
 * `README.txt` of the archive of proofs: UTF-8, English then French. Nothing that the depositor declared stands in it, and its commands
 * are those that the certificate gives.
 * @param names of the files beside it
 * @param renewals of its time stamps, in their order
 */
export function proofsReadme(
  sealed: SealedDeposit,
  names: readonly string[],
  renewals: readonly Pick<ChainRenewal, 'file' | 'number' | 'authority' | 'genTime'>[],
): Uint8Array {
  return Buffer.from(
    `${locales.map((locale) => readmeIn(locale, { sealed, names, renewals })).join(`\n\n\n${'*'.repeat(72)}\n\n\n`)}\n`,
    'utf8',
  )
}

function readmeIn(
  locale: Locale,
  {
    sealed: { record, batch },
    names,
    renewals,
  }: {
    readonly sealed: SealedDeposit
    readonly names: readonly string[]
    readonly renewals: readonly Pick<ChainRenewal, 'file' | 'number' | 'authority' | 'genTime'>[]
  },
): string {
  const messages = createMessages(locale)
  const say = (name: string, values: MessageValues = {}) => messages.format(`document.readme.${name}` as MessageId, values)
  const heading = (text: string) => `${text}\n${'-'.repeat(Array.from(text).length)}`
  const file = say('your_file')
  const root = toHex(batch.root)
  const has = (name: string) => names.includes(name)
  const stamped = batch.size === 1 ? `-data ${file}` : `-digest ${root}`
  const title = say('title', { id: record.id })
  const listed = names.flatMap((name) => {
    const about = say('file', { name: aboutOf(name) })
    return about === '' ? [] : [`${name}\n${indent(about)}`]
  })
  return [
    `${title}\n${'='.repeat(Array.from(title).length)}`,
    say('what'),
    `${say('fingerprint')}\n${indent(toHex(record.sha256))}`,
    ...(batch.size === 1 ? [] : [`${say('root', { size: batch.size })}\n${indent(root)}`]),
    heading(say('files')),
    ...listed,
    heading(say('how')),
    `${say('sum')}\n\n${indent(`sha256sum ${file}`)}`,
    ...(batch.size === 1 ? [] : [say('record')]),
    ...batch.summary.timestamps.map(
      (stamp) =>
        `${say('stamp')}\n\n${indent(`openssl ts -verify ${stamped} \\\n  -in ${stamp.file} -CAfile ${stamp.ca_file}${attimeOf({ genTime: stamp.gen_time }, renewals.length > 0)}`)}`,
    ),
    ...lastOfEach(renewals).map((last) =>
      say('renewed', { count: last.number, file: recordName(last), authority: last.authority, date: last.genTime.toISOString() }),
    ),
    `${say('signature')}\n\n${indent('openssl cms -verify -binary -inform DER -in signature.p7s \\\n  -content root.bin -CAfile platform-ca.pem -purpose any -out /dev/null')}`,
    ...(has('document.ots') ? [`${say('ots')}\n\n${indent(`ots verify -f ${file} document.ots`)}`] : []),
    say('online'),
  ].join('\n\n')
}

const lastOfEach = <T extends { readonly file: string }>(renewals: readonly T[]): readonly T[] => [
  ...new Map(renewals.map((renewal) => [renewal.file, renewal])).values(),
]

/** Which text tells of a file. */
function aboutOf(name: string): string {
  if (name.endsWith('.pdf')) return 'certificate'
  if (name.endsWith('.tsr')) return 'tsr'
  if (name.endsWith('-ca.pem')) return 'ca'
  if (name.endsWith('.ots')) return 'ots'
  if (name.endsWith('.chainpoint.json')) return 'chainpoint'
  return name.replaceAll(/[^a-z]+/g, '_')
}
