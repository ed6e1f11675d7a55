import { Readable } from 'node:stream'
import type { Actor } from '../../../../kernel/actor.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { countActs, lastActNumber, listActs, type ActsWanted } from '../../../../platform/acts/store.ts'
import { csvBeginning, csvRecord } from '../../../../platform/http/answer/csv.ts'
import { createMessages, type Messages } from '../../../../platform/messages/messages.ts'
import type { Act } from '../../contract/identity.ts'
import type { IdentityDeps } from '../people/deps.ts'
import { presentActs } from './list-acts.ts'

const atATime = 500
const columns = ['number', 'at', 'action', 'words', 'actor', 'actor_name', 'on_behalf_of', 'subject', 'data', 'hash'] as const

/** What was done, in words; the code itself where a line of an earlier version holds too little for them. */
export function wordsOfAct(messages: Messages, { action, data }: Pick<Act, 'action' | 'data'>): string {
  const [module = '', verb = ''] = action.split('.')
  const id = `${module}.act.${verb}`
  if (!messages.has(id)) return action
  try {
    return messages.format(id, data)
  } catch {
    return action
  }
}

/**
 * The lines that are wanted, as CSV, written while they are read; newest first. That they were exported is recorded before any is.
 * @param own whether somebody exports what concerns himself: then the staff is not named
 */
export async function exportActs(
  deps: Pick<IdentityDeps, 'db' | 'clock'>,
  actor: Actor,
  wanted: ActsWanted,
  { own, locale }: { readonly own: boolean; readonly locale: Locale },
): Promise<Readable> {
  const before = (await lastActNumber(deps.db)) + 1
  const lines = await countActs(deps.db, { ...wanted, before })
  await deps.db.transaction().execute(async (tx) => {
    await recordAct(tx, deps.clock.now(), {
      action: 'identity.exported_acts',
      actor: { userId: actor.userId, accountId: actor.userId },
      subject: own ? { type: 'user', id: actor.userId } : null,
      data: { lines },
    })
  })
  return Readable.from(write(deps, { ...wanted, before }, { readerId: own ? actor.userId : null, locale }))
}

async function* write(
  deps: Pick<IdentityDeps, 'db'>,
  wanted: ActsWanted,
  { readerId, locale }: { readonly readerId: string | null; readonly locale: Locale },
): AsyncGenerator<string> {
  const messages = createMessages(locale)
  yield csvBeginning + csvRecord(columns)
  let { before } = wanted
  for (;;) {
    const rows = await listActs(deps.db, { ...wanted, before, limit: atATime })
    let text = ''
    for (const act of await presentActs(deps, rows, readerId)) {
      before = act.number
      text += csvRecord([
        act.number,
        act.at,
        act.action,
        wordsOfAct(messages, act),
        act.actor?.id ?? '',
        act.by_staff ? messages.format('identity.act_by_staff') : (act.actor?.name ?? ''),
        act.on_behalf_of?.id ?? '',
        act.subject === null ? '' : `${act.subject.type} ${act.subject.id}`,
        JSON.stringify(act.data),
        act.hash,
      ])
    }
    yield text
    if (rows.length < atATime) return
  }
}
