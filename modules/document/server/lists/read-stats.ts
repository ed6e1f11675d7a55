import type { Actor } from '../../../../kernel/actor.ts'
import type { ResponseOf } from '../../../../kernel/endpoint.ts'
import { readFigures } from '../../../../platform/lists/read-figures.ts'
import type { readDocumentStats } from '../../contract/endpoints.ts'
import { mostDrafts } from '../change/create-documents.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'
import { countDrafts } from '../deposit/store.ts'

/** Final deposits of the account, and of the group that it manages, by user (E-51, E-52); and the drafts that it may have. */
export async function readStats(deps: DocumentWebDeps, actor: Actor): Promise<ResponseOf<typeof readDocumentStats>> {
  const drafts = { held: await countDrafts(deps.db, actor.accountId), most: mostDrafts }
  return { ...(await readFigures(deps, 'document', actor)), drafts }
}
