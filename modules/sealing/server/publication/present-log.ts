import { toHex } from '../../../../kernel/bytes.ts'
import { route, type Route } from '../../../../platform/http/route.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { listLogCheckpoints, readLogState, type LogCheckpoint, type LogState } from '../../contract/log.ts'
import type { BitcoinNetwork } from '../../../verification/server/index.ts'
import { anchorNetwork } from '../anchor/anchor-network.ts'
import {
  findCheckpoint,
  listCheckpoints,
  newestSizes,
  readAdditions,
  readCosignatures,
  readLogHead,
  type Additions,
} from '../log/log-store.ts'
import type { Checkpoint } from '../log/public-log.ts'
import { listWitnessedLogs, listWitnesses } from '../log/witness-store.ts'

/** What everybody may know of the log: no root, no salt, nobody's name. */
export function logRoutes({ db, bitcoinNetwork }: { db: Db; bitcoinNetwork?: BitcoinNetwork }): Route[] {
  return [
    route(readLogState, async () => await presentState(db, bitcoinNetwork)),
    route(listLogCheckpoints, async ({ query }) => ({
      results: await present(
        db,
        await listCheckpoints(db, { ...(query.before === undefined ? {} : { before: query.before }), limit: query.limit }),
        bitcoinNetwork,
      ),
    })),
  ]
}

async function presentState(db: Db, network: BitcoinNetwork | undefined): Promise<LogState> {
  const [{ origin }, newest, sizes] = [await readLogHead(db), await findCheckpoint(db), await newestSizes(db)]
  const find = async (size: number | null) => (size === null ? null : await findCheckpoint(db, size))
  const found = [newest, await find(sizes.anchored), await find(sizes.cosigned)]
  const shown = await present(
    db,
    found.filter((each) => each !== null),
    network,
  )
  const of = (checkpoint: Checkpoint | null | undefined) => shown.find(({ size }) => size === checkpoint?.size) ?? null
  const first = of(newest)
  return {
    newest: first === null || origin === null ? null : { ...first, origin },
    anchored: of(found[1]),
    cosigned: of(found[2]),
    witnesses: (await listWitnesses(db)).map(({ name, answer, askedAt, size }) => ({
      name,
      answer,
      asked_at: askedAt.toISOString(),
      size,
    })),
    witnessed: (await listWitnessedLogs(db)).map(({ origin: of, size, cosignedAt }) => ({
      origin: of,
      size,
      at: cosignedAt.toISOString(),
    })),
  }
}

async function present(
  db: Db,
  checkpoints: readonly Checkpoint[],
  network: BitcoinNetwork | undefined,
): Promise<LogCheckpoint[]> {
  const sizes = [...new Set(checkpoints.map(({ size }) => size))]
  const cosignatures = await readCosignatures(db, sizes)
  const additions = await readAdditions(db, sizes)
  return checkpoints.map(({ size, rootHash, at }) => ({
    size,
    root_hash: toHex(rootHash),
    at: at.toISOString(),
    cosignatures: cosignatures
      .filter((each) => each.size === size)
      .map((each) => ({ name: each.name, at: each.at.toISOString() })),
    timestamps: additions.stamps
      .filter((each) => each.size === size)
      .map((each) => ({ authority: each.authority, gen_time: each.genTime.toISOString() })),
    anchor: anchorOf(additions, size, network),
  }))
}

function anchorOf({ anchors }: Additions, size: number, network: BitcoinNetwork | undefined): LogCheckpoint['anchor'] {
  const found = anchors.find((each) => each.size === size)
  if (found === undefined) return null
  const { anchor, header } = found
  const block = header === null || anchor.height === null ? null : { height: anchor.height, header }
  return { ...anchor, network: anchorNetwork(block, network) }
}
