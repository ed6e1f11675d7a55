/** The SQL of the public log. Every function takes the database or the transaction first. */
import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { tileKey, type NoteSignature, type Tile } from '../../../verification/server/index.ts'
import type { Checkpoint, LoggedRoot } from './public-log.ts'

export type LogHead = {
  /** Null while the log is empty. */
  readonly origin: string | null
  readonly size: number
  /** 32 octets for each complete subtree, the largest first. */
  readonly frontier: Uint8Array
}

/** Holds the row until the transaction ends: whoever appends, in whatever process, comes one after the other. */
export async function lockLogHead(tx: Tx): Promise<LogHead> {
  return await tx.selectFrom('log_head').select(['origin', 'size', 'frontier']).forUpdate().executeTakeFirstOrThrow()
}

export async function readLogHead(db: Db | Tx): Promise<LogHead> {
  return await db.selectFrom('log_head').select(['origin', 'size', 'frontier']).executeTakeFirstOrThrow()
}

export async function countLeaves(db: Db | Tx): Promise<number> {
  const { count } = await db
    .selectFrom('log_leaf')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export type NewLeaf = {
  readonly index: number
  readonly root: Uint8Array
  readonly salt: Uint8Array
  readonly entry: Uint8Array
  readonly leafHash: Uint8Array
}

/** All that one append changes. The caller holds the head. */
export async function appendLeaves(
  tx: Tx,
  change: {
    origin: string
    size: number
    frontier: Uint8Array
    /** One that comes back from elsewhere has its entry alone: what was logged stands in the package of whoever has it. */
    leaves: readonly (NewLeaf | Omit<NewLeaf, 'root' | 'salt'>)[]
    subtrees: readonly { level: number; index: number; hash: Uint8Array }[]
    checkpoint: Pick<Checkpoint, 'rootHash' | 'note'>
    at: Date
  },
): Promise<void> {
  const { leaves, subtrees, checkpoint, at } = change
  await tx
    .insertInto('log_leaf')
    .values(leaves.map(({ index, entry, leafHash }) => ({ index, entry: octets(entry), leaf_hash: octets(leafHash), at })))
    .execute()
  const rooted = leaves.filter((leaf) => 'root' in leaf)
  if (rooted.length > 0) {
    await tx
      .insertInto('log_root')
      .values(rooted.map(({ index, root, salt }) => ({ root: octets(root), salt: octets(salt), index, logged_at: at })))
      .execute()
  }
  if (subtrees.length > 0) {
    await tx
      .insertInto('log_subtree')
      .values(subtrees.map(({ level, index, hash }) => ({ level, index, hash: octets(hash) })))
      .execute()
  }
  await tx
    .insertInto('log_checkpoint')
    .values({ size: change.size, root_hash: octets(checkpoint.rootHash), note: octets(checkpoint.note), at })
    .execute()
  await tx
    .updateTable('log_head')
    .set({ origin: change.origin, size: change.size, frontier: octets(change.frontier) })
    .execute()
}

export async function findRoots(db: Db | Tx, roots: readonly Uint8Array[]): Promise<LoggedRoot[]> {
  if (roots.length === 0) return []
  const rows = await db.selectFrom('log_root').selectAll().where('root', 'in', roots.map(octets)).execute()
  return rows.map(({ root, salt, index, logged_at }) => ({ root, salt, index, loggedAt: logged_at }))
}

/** The newest when no size is told. */
export async function findCheckpoint(db: Db | Tx, size?: number): Promise<Checkpoint | null> {
  let query = db.selectFrom('log_checkpoint').select(['size', 'root_hash', 'note', 'at'])
  query = size === undefined ? query.orderBy('size', 'desc').limit(1) : query.where('size', '=', size)
  const row = await query.executeTakeFirst()
  return row === undefined ? null : { size: row.size, rootHash: row.root_hash, note: row.note, at: row.at }
}

/** Newest first, those below `before`. */
export async function listCheckpoints(db: Db | Tx, { before, limit }: { before?: number; limit: number }): Promise<Checkpoint[]> {
  let query = db.selectFrom('log_checkpoint').select(['size', 'root_hash', 'note', 'at'])
  if (before !== undefined) query = query.where('size', '<', before)
  const rows = await query.orderBy('size', 'desc').limit(limit).execute()
  return rows.map((row) => ({ size: row.size, rootHash: row.root_hash, note: row.note, at: row.at }))
}

/** Octets of tiles by {@link tileKey}: as many hashes as asked for, or as there are. One query whatever their number. */
export async function readTiles(db: Db | Tx, tiles: readonly Tile[]): Promise<Map<string, Uint8Array>> {
  if (tiles.length === 0) return new Map()
  const parts = tiles.map((tile): RawBuilder<unknown> => {
    const first = tile.number * 256
    const key = tileKey(tile)
    // Bounded by the index of the table: at most 256 rows each.
    return tile.level === 0
      ? sql`select ${key}::text as key, string_agg(leaf_hash, ''::bytea order by index) as hashes from log_leaf
          where index >= ${first} and index < ${first + tile.width}`
      : sql`select ${key}::text as key, string_agg(hash, ''::bytea order by index) as hashes from log_subtree
          where level = ${tile.level} and index >= ${first} and index < ${first + tile.width}`
  })
  const { rows } = await sql<{ key: string; hashes: Buffer | null }>`${sql.join(parts, sql` union all `)}`.execute(db)
  return new Map(rows.map(({ key, hashes }) => [key, hashes ?? new Uint8Array()]))
}

/** Entries of the leaves `[first, first + count)`, as far as there are. */
export async function readEntries(db: Db | Tx, first: number, count: number): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('log_leaf')
    .select('entry')
    .where('index', '>=', first)
    .where('index', '<', first + count)
    .orderBy('index')
    .execute()
  return rows.map(({ entry }) => entry)
}

export type StoredCosignature = NoteSignature & { readonly size: number; readonly at: Date }

export async function readCosignatures(db: Db | Tx, sizes: readonly number[]): Promise<StoredCosignature[]> {
  if (sizes.length === 0) return []
  const rows = await db
    .selectFrom('log_cosignature')
    .selectAll()
    .where('size', 'in', [...sizes])
    .orderBy('cosigned_at')
    .orderBy('name')
    .execute()
  return rows.map(({ size, name, key_id, signature, cosigned_at }) => ({
    size,
    name,
    keyId: key_id,
    signature,
    at: cosigned_at,
  }))
}

/**
 * Of the hundred newest checkpoints that hold leaf `index` and were cosigned: the one that most witnesses cosigned, the
 * newest among equals.
 */
export async function bestCosignedSize(db: Db | Tx, index: number): Promise<number | null> {
  const { rows } = await sql<{ size: number }>`
    select size from (
      select size from log_cosignature where size > ${index} order by size desc limit 100
    ) newest group by size order by count(*) desc, size desc limit 1`.execute(db)
  return rows[0]?.size ?? null
}

const octets = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Sizes of the newest checkpoints that stand deep enough in the Bitcoin chain, and that a witness cosigned. */
export async function newestSizes(db: Db | Tx): Promise<{ anchored: number | null; cosigned: number | null }> {
  const anchored = await db
    .selectFrom('log_anchor')
    .select('tree_size')
    .where('status', '=', 'confirmed')
    .orderBy('tree_size', 'desc')
    .limit(1)
    .executeTakeFirst()
  const cosigned = await db.selectFrom('log_cosignature').select('size').orderBy('size', 'desc').limit(1).executeTakeFirst()
  return { anchored: anchored?.tree_size ?? null, cosigned: cosigned?.size ?? null }
}

export type Additions = {
  readonly anchors: readonly {
    readonly size: number
    readonly anchor: { status: 'pending' | 'mined' | 'confirmed'; height: number | null; block_time: string | null }
    /** Of its block, 80 octets. */
    readonly header: Uint8Array | null
  }[]
  readonly stamps: readonly { readonly size: number; readonly authority: string; readonly genTime: Date }[]
}

/** What was added to checkpoints after they were signed: anchors, the most advanced first, and time stamps. */
export async function readAdditions(db: Db | Tx, sizes: readonly number[]): Promise<Additions> {
  if (sizes.length === 0) return { anchors: [], stamps: [] }
  const anchors = await db
    .selectFrom('log_anchor')
    .select(['tree_size', 'status', 'height', 'block_time', 'header'])
    .where('tree_size', 'in', [...sizes])
    .where('status', '<>', 'given_up')
    .orderBy(sql`array_position(array['confirmed', 'mined', 'pending'], status)`)
    .execute()
  const stamps = await db
    .selectFrom('log_checkpoint_stamp')
    .select(['size', 'authority', 'gen_time'])
    .where('size', 'in', [...sizes])
    .orderBy('number')
    .execute()
  return {
    anchors: anchors.map(({ tree_size, status, height, block_time, header }) => ({
      size: tree_size,
      anchor: {
        status: status as 'pending' | 'mined' | 'confirmed',
        height,
        block_time: block_time === null ? null : block_time.toISOString(),
      },
      header: header === null ? null : new Uint8Array(header),
    })),
    stamps: stamps.map(({ size, authority, gen_time }) => ({ size, authority, genTime: gen_time })),
  }
}
