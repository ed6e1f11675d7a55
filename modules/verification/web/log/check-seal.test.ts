import { expect, test } from 'vitest'
import { toHex, utf8 } from '../../../../kernel/bytes.ts'
import { leafHash, nodeHash } from '../../domain/hash/merkle.ts'
import { checkSealGiven } from './check-seal.ts'

const subject = JSON.stringify({
  format: 'probant-evidence/1',
  subject: {
    requested_url: 'https://a.example/',
    final_url: 'https://a.example/b',
    started_at: '2026-11-23T09:00:00.000Z',
  },
})
const beside = leafHash(utf8('what is withheld'))
const given = {
  subject,
  leaves: 2,
  path: [toHex(beside)],
  root: toHex(nodeHash(leafHash(utf8(subject)), beside)),
  files: [],
}

test('a subject that leads to the root is told as it was sealed, and any other is not', async () => {
  const sealed = { requestedUrl: 'https://a.example/', finalUrl: 'https://a.example/b', startedAt: '2026-11-23T09:00:00.000Z' }
  expect(await checkSealGiven(given)).toEqual({ subject: true, sealed, log: 'none', index: null, origin: null })
  const altered = [
    { subject: subject.replace('a.example', 'b.example') },
    { path: [] },
    { path: ['zz'.repeat(32)] },
    { path: [given.root] },
    { leaves: 3 },
    { root: given.path[0] ?? '' },
    { root: 'nothing' },
  ]
  for (const each of altered) expect(await checkSealGiven({ ...given, ...each })).toMatchObject({ subject: false, sealed: null })
})
