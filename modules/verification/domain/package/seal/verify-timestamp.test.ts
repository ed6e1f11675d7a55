import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startOutsideTsa } from '../../../../../testing/tsa.ts'
import { fromHex } from '../../../../../kernel/bytes.ts'
import { verifyTimestamp } from './verify-timestamp.ts'
import { readPem } from '../../certificate/x509.ts'

test.each([
  ['rsa', 'sha256'],
  ['ec', 'sha256'],
  ['rsa', 'sha1'],
] as const)(
  'a token that openssl made passes, and fails for another digest or another root: %s, ESS %s',
  async (key, essDigest) => {
    const tsa = await startOutsideTsa({ key, essDigest })
    const other = await startOutsideTsa({ key, name: 'Other' })
    try {
      const digest = createHash('sha256').update(randomBytes(8)).digest()
      const header = fromHex('30390201013031300d060960864801650304020105000420')
      const response = await tsa.reply(Buffer.concat([header, digest, fromHex('0101ff')]))
      const known = readPem(await readFile(tsa.caFile))
      const outcome = verifyTimestamp(response, { digest, known, form: 'response' })
      expect(outcome).toMatchObject({ status: 'passed', facts: { embedded: false, root_sha256: tsa.rootSha256 } })
      expect(verifyTimestamp(response, { digest: new Uint8Array(32), known, form: 'response' })).toMatchObject({
        status: 'failed',
        reason: 'imprint',
      })
      const foreign = verifyTimestamp(response, { digest, known: readPem(await readFile(other.caFile)), form: 'response' })
      expect(foreign.status === 'passed' && foreign.facts.root_sha256 !== tsa.rootSha256).toBe(false)
    } finally {
      await tsa.close()
      await other.close()
    }
  },
)
