import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findPersonal } from './find-personal.ts'

test('what a log may not hold is found in whichever file and line; what programs say of themselves is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'logs-'))
  try {
    await writeFile(
      join(folder, 'web.log'),
      [
        '{"msg":"sent to ada@client.example"}',
        '{"stack":"at /x/node_modules/@fastify/swagger/index.js:1:1"}',
        '{"err":"https://127.0.0.1:4000/page?x"}',
        '{"msg":"listening on port 8080","from":"Probant <probant@localhost>"}',
      ].join('\n'),
    )
    await writeFile(
      join(folder, 'worker.log'),
      '{"header":"Bearer abcdefghijklmnopqrstuvwxyz"}\n{"iban":"FR76 3000 6000 0112 3456"}\n',
    )
    const found = (await findPersonal(folder)).map((each) => each.split(': ').slice(0, 2))
    expect(found.toSorted((a, b) => a.join('').localeCompare(b.join('')))).toEqual([
      ['web.log', 'a mailbox'],
      ['web.log', 'an address of a page'],
      ['worker.log', 'a token'],
      ['worker.log', 'an account of a bank'],
    ])
  } finally {
    await rm(folder, { recursive: true })
  }
})
