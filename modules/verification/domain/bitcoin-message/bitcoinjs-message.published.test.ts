import { base64 } from '@scure/base'
import { expect, test } from 'vitest'
import { fromHex, toHex, utf8 } from '../../../../kernel/bytes.ts'
import { readPublished } from '../../../../testing/published/read-published.ts'
import type { PublishedFile } from '../../../../testing/published/read-published.ts'
import type { ProofReport } from '../report/proof-report.ts'
import { doubleSha256, magicMessage } from './recover-key.ts'
import { verifyBitcoinMessage } from './verify-bitcoin-message.ts'

/** MIT. */
const published: PublishedFile = {
  repository: 'bitcoinjs/bitcoinjs-message',
  commit: 'c43430f4c03c292c719e7801e425d887cbdf7464',
  path: 'test/fixtures.json',
  sha256: 'ecea0f6e79e6224b665ae3a689316a22861bf43287a30953160732d99be4d948',
}
const textOf = async (file: PublishedFile) => new TextDecoder().decode(await readPublished(file))
const verify = async (message: string, signature: string, address?: string) =>
  await verifyBitcoinMessage(
    { message, signature, ...(address === undefined ? {} : { address }) },
    { now: () => new Date('2026-11-21T10:00:00Z') },
  )
const failures = (report: ProofReport) =>
  report.checks.flatMap(({ id, status, data }) => (status === 'failed' ? [`${id}:${data['reason']}`] : []))

test('bitcoinjs-message: valid ones pass, under segwit headers and by habit; invalid ones fail as named', async () => {
  type Segwit = Record<'P2SH_P2WPKH' | 'P2WPKH', { address: string; signature: string }>
  type Valid = { network: string; message: string; address: string; signature: string; compressed?: Valid; segwit?: Segwit }
  const { valid, invalid } = JSON.parse(await textOf(published)) as {
    valid: { verify: Valid[]; magicHash: { network: string; message: string; magicHash: string }[] }
    invalid: { verify: Valid[]; signature: { exception: string; hex: string }[] }
  }
  for (const each of valid.magicHash.filter(({ network }) => network === 'bitcoin'))
    expect(toHex(doubleSha256(magicMessage(utf8(each.message))))).toBe(each.magicHash)
  for (const each of valid.verify.filter(({ network }) => network === 'bitcoin')) {
    for (const one of [each, each.compressed, each.segwit?.P2SH_P2WPKH, each.segwit?.P2WPKH])
      if (one !== undefined) expect((await verify(each.message, one.signature, one.address)).verdict).toBe('TOTAL-PASSED')
    for (const one of [each.segwit?.P2SH_P2WPKH, each.segwit?.P2WPKH]) {
      const report = await verify(each.message, one?.signature.replace(/^./, 'I') ?? '', one?.address)
      expect(report.verdict).toBe('TOTAL-PASSED')
      expect(report.facts).toContainEqual({ id: 'header', value: 'by_habit', form: 'word' })
    }
  }
  for (const { message, signature, address } of invalid.verify)
    expect(failures(await verify(message, signature, address))).toEqual(['given_address:other_address'])
  for (const { exception, hex } of invalid.signature) {
    const wanted =
      exception === 'Invalid signature parameter' ? ['format:header'] : [expect.stringMatching(/^format:(length|variant)$/)]
    expect(failures(await verify('m', base64.encode(fromHex(hex))))).toEqual(wanted)
  }
})
