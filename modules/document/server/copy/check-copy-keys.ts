import { announceCopy, listSealedKeys, setOpened, setUnopened } from './copy-store.ts'
import type { CopyDeps } from './copy-deps.ts'
import { opensCopyKey } from './copy-key.ts'

const batch = 1_000

/**
 * At the start of the worker: which copies cannot be read with the master key that the installation has now. Each is said so on the page of
 * its deposit, and left alone until another start finds that it opens; the operator is told of all of them in one line.
 * @returns how many do not open, and how many open again
 */
export async function checkCopyKeys({
  db,
  vault,
  clock,
  log,
}: Pick<CopyDeps, 'db' | 'vault' | 'clock' | 'log'>): Promise<{ readonly closed: number; readonly opened: number }> {
  const found = { closed: 0, opened: 0 }
  for (let after: string | null = null; ;) {
    const copies: Awaited<ReturnType<typeof listSealedKeys>> = await listSealedKeys(db, after, batch)
    const judged = copies.map((copy) => ({ ...copy, opens: opensCopyKey(vault, copy.id, copy.sealedKey) }))
    const closed = judged.filter(({ opens }) => !opens)
    const opened = judged.filter(({ opens, unopened }) => opens && unopened)
    await setUnopened(
      db,
      closed.map(({ id }) => id),
      clock.now(),
    )
    await setOpened(
      db,
      opened.map(({ id }) => id),
    )
    for (const { documentId } of [...closed.filter(({ unopened }) => !unopened), ...opened])
      if (documentId !== null) await announceCopy(db, documentId)
    found.closed += closed.length
    found.opened += opened.length
    after = copies.at(-1)?.id ?? null
    if (copies.length < batch || after === null) break
  }
  if (found.closed > 0)
    log.error(
      { copies: found.closed },
      'copies of documents cannot be read: they were kept under another master key (PROBANT_MASTER_KEY); put it back, or they are lost',
    )
  if (found.opened > 0) log.info({ copies: found.opened }, 'copies of documents can be read again')
  return found
}
