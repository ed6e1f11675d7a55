import { createHash, randomUUID } from 'node:crypto'
import { mineHeader } from '../../../testing/bitcoin/mine-header.ts'
import { anchorCommitment, treeOf, writeTimestamp, type TimestampTree } from '../../verification/server/index.ts'
import type { DepositWorld } from './deposits.test-data.ts'

/** What the jobs of anchors leave behind once the newest checkpoint stands in a block, here one of a transaction alone. */
export async function confirmAnchor(world: Pick<DepositWorld, 'db' | 'publicLog'>): Promise<{ size: number; header: Buffer }> {
  const checkpoint = await world.publicLog?.checkpoint()
  if (checkpoint == null) throw new Error('the log is empty')
  const { size, rootHash, note } = checkpoint
  const noteHash = createHash('sha256').update(note).digest()
  const commitment = anchorCommitment(rootHash, noteHash)
  const tree: TimestampTree = treeOf(commitment, [{ op: 'sha256' }], [{ kind: 'bitcoin', height: 7 }])
  const header = mineHeader(createHash('sha256').update(commitment).digest())
  const at = new Date('2026-11-21T12:00:00Z')
  await world.db
    .insertInto('log_anchor')
    .values({
      id: randomUUID(),
      way: 'calendar',
      tree_size: size,
      tree_root: Buffer.from(rootHash),
      note_hash: noteHash,
      commitment: Buffer.from(commitment),
      status: 'confirmed',
      created_at: at,
      proof: Buffer.from(writeTimestamp(tree)),
      height: 7,
      block_hash: Buffer.from(
        createHash('sha256').update(createHash('sha256').update(header).digest()).digest().toReversed(),
      ).toString('hex'),
      header,
      header_sources: ['node'],
      block_time: at,
      mined_at: at,
      confirmed_at: at,
    })
    .execute()
  return { size, header }
}
