/** Notes contents and writes the journal anew after each, until it is killed; says of each when it is noted. `node … PATH` */
import { createHash, randomUUIDv7 } from 'node:crypto'
import { writeSync } from 'node:fs'
import { openJournal } from './journal.ts'

const [, , path = ''] = process.argv
const journal = await openJournal(path)
const everything = { has: () => true }
for (let i = 0; ; i += 1) {
  const mark = randomUUIDv7()
  const sha256 = createHash('sha256').update(mark).digest('hex')
  await journal.add([
    { t: 'file', path: `/${mark}`, base: `/${mark}`, look: '1', sha256 },
    { t: 'wanted', sha256, sha512: '', mark, name: null, label: null, store: false, replaces: null, after: null },
  ])
  writeSync(1, `${sha256}\n`)
  if (i % 2 === 1) await journal.shorten({ paths: everything, stems: everything }, new Date())
}
