/**
 * Makes the snapshot that the product ships, from lists that somebody fetched:
 *
 *     node modules/verification/server/trusted-lists/make-snapshot.ts FOLDER
 *
 * FOLDER holds `eu-lotl.xml`, the national lists as `TSL_XX.xml` (XX: the territory as the lists write it), and pivots under their
 * own names. Nothing is fetched; every list is verified as it would be from its source. Writes `trusted-lists/snapshot.json` of the module,
 * and prints what each list is, or why it was left out.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { systemClock } from '../../../../kernel/clock.ts'
import { journalSigners, lotlAddress } from '../../domain/trusted-list/journal-signers.ts'
import { openList } from '../../domain/trusted-list/open-list.ts'
import { collectTrustedLists } from './collect-trusted-lists.ts'
import { FetchListError } from './fetch-list.ts'

const target = fileURLToPath(new URL('../../trusted-lists/snapshot.json', import.meta.url))

async function makeSnapshot(folder: string): Promise<void> {
  const read = async (name: string) => {
    try {
      return new Uint8Array(await readFile(join(folder, name)))
    } catch (error) {
      throw new FetchListError('unreachable', { cause: error })
    }
  }
  const lotl = openList(await read('eu-lotl.xml'), { kind: 'lotl' })
  const pointers = typeof lotl === 'string' ? [] : lotl.list.pointers
  const files = new Map(pointers.map(({ url, territory }) => [url, `TSL_${territory}.xml`]))
  files.set(lotlAddress, 'eu-lotl.xml')
  const { lists, outcomes } = await collectTrustedLists(
    {
      fetch: async (url) => await read(files.get(url) ?? url.split('/').at(-1) ?? ''),
      clock: systemClock,
      lotlUrl: lotlAddress,
      journal: journalSigners,
      acceptExpired: true,
    },
    undefined,
  )
  if (lists === undefined) throw new Error(`the list of lists does not verify: ${outcomes[0]?.flaw ?? ''}`)
  for (const { territory, flaw } of outcomes) {
    const list = territory === 'EU' ? lists.lotl : lists.lists.find((each) => each.territory === territory)
    const what =
      list === undefined ? 'left out' : `no. ${list.sequence_number} of ${list.issued_at}, next ${list.next_update ?? 'none'}`
    process.stdout.write(`${territory}  ${what}${flaw === null ? '' : `  (${flaw})`}\n`)
  }
  // A line for each list and service, so that a change of the file shows what changed.
  const text = `${JSON.stringify(lists).replaceAll(/\{"(?=territory|provider)/g, '\n{"')}\n`
  await writeFile(target, text)
  process.stdout.write(`${target}: ${text.length} bytes, ${gzipSync(text, { level: 9 }).length} gzipped\n`)
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('make-snapshot.ts FOLDER')
await makeSnapshot(folder)
