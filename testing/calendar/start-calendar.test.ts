import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRegtest, type Regtest } from '../bitcoin/start-regtest.ts'
import { startCalendar, type Calendar } from './start-calendar.ts'

let regtest: Regtest
let calendar: Calendar
beforeAll(async () => {
  regtest = await startRegtest()
  calendar = await startCalendar(regtest)
})
afterAll(async () => {
  await calendar.close()
  await regtest.close()
})

/** Upstream's own client (Debian package python3-opentimestamps). */
const python = async (program: string, ...args: string[]): Promise<string> => {
  const head = `
import sys
from opentimestamps.calendar import RemoteCalendar, CommitmentNotFoundError
from opentimestamps.core.notary import PendingAttestation, BitcoinBlockHeaderAttestation
from bitcoin.core import CBlockHeader
calendar = RemoteCalendar(sys.argv[1] + '/')
`
  const { stdout } = await promisify(execFile)('/usr/bin/python3', ['-c', head + program, calendar.url, ...args], {
    env: { PATH: '/usr/bin:/bin', no_proxy: '127.0.0.1' },
  })
  return stdout.trim()
}

test("upstream's client submits two digests, waits, and gets from each to the header of one block", async () => {
  const submit = `
stamp = calendar.submit(bytes.fromhex(sys.argv[2]), timeout=60)
[(message, attestation)] = stamp.all_attestations()
assert isinstance(attestation, PendingAttestation) and attestation.uri == sys.argv[1]
print(message.hex())`
  const ask = `
try:
    stamp = calendar.get_timestamp(bytes.fromhex(sys.argv[2]), timeout=60)
    [(message, attestation)] = stamp.all_attestations()
    assert isinstance(attestation, BitcoinBlockHeaderAttestation)
    attestation.verify_against_blockheader(message, CBlockHeader.deserialize(bytes.fromhex(sys.argv[3])))
    print(attestation.height)
except CommitmentNotFoundError as error:
    print(error.reason)`
  const commitments = [await python(submit, '11'.repeat(32)), await python(submit, '22'.repeat(32))]
  expect(await python(ask, commitments[0] ?? '', '')).toBe('Pending confirmation in Bitcoin blockchain')
  await calendar.stamp()
  await regtest.mine()
  const height = regtest.height()
  const header = Buffer.from(await regtest.header(height)).toString('hex')
  for (const commitment of commitments) expect(await python(ask, commitment, header)).toBe(String(height))
  expect(await python(ask, '33'.repeat(44), header)).toBe('Not found')
})
