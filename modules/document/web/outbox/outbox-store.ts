import type { DepositInput } from '../../contract/document.ts'

/** Fingerprints that are still to be sent, as one call: what is told of them. */
export type WaitingBatch = {
  readonly id: string
  /** Whoever deposits, and by which delegation: nobody else's session sends them. */
  readonly user: string
  readonly delegation: string | null
  readonly made_at: string
  /** Seal at once; otherwise drafts. */
  readonly agree: boolean
  readonly count: number
  readonly hidden: boolean
  /** The server's answer, when that was no: it is sent again only when somebody asks. */
  readonly refused: { readonly code: string; readonly data: Readonly<Record<string, unknown>> } | null
}

/** What is sent: read when it is its turn. A hundred thousand are megabytes, which nobody needs to know that they wait. */
export type BatchContent = {
  readonly documents: readonly DepositInput[]
  /** What each is called here; with hidden names the only place where they stand. */
  readonly names: readonly string[]
}
export type WholeBatch = WaitingBatch & BatchContent

/** A name that was not sent, for its owner to find it by in his own browser. */
export type HiddenName = { readonly id: string; readonly user: string; readonly name: string }

export type OutboxStore = {
  /** False: the browser refuses to keep anything; all is lost with the page, and that is said. */
  readonly lasting: boolean
  readonly batches: () => Promise<readonly WaitingBatch[]>
  /** null: another tab has sent it. */
  readonly contentOf: (id: string) => Promise<BatchContent | null>
  /** All of them, or none. */
  readonly put: (batches: readonly WholeBatch[]) => Promise<void>
  /** What is told of one that waits. */
  readonly change: (batch: WaitingBatch) => Promise<void>
  readonly remove: (id: string) => Promise<void>
  readonly keepNames: (names: readonly HiddenName[]) => Promise<void>
  readonly nameOf: (user: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly forgetNames: (user: string) => Promise<void>
}

const databaseName = 'probant.documents'

export function asked<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')))
  })
}

export function done(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(transaction.error ?? new Error('IndexedDB'))
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('error', fail)
    transaction.addEventListener('abort', fail)
  })
}

function open(factory: IDBFactory): Promise<IDBDatabase> {
  const request = factory.open(databaseName, 2)
  request.addEventListener('upgradeneeded', ({ oldVersion }) => {
    const { result: database, transaction } = request
    database.createObjectStore('contents', { keyPath: 'id' })
    if (oldVersion === 0) {
      database.createObjectStore('batches', { keyPath: 'id' })
      database.createObjectStore('names', { keyPath: 'id' }).createIndex('user', 'user')
    } else if (transaction !== null) divide(transaction)
  })
  return asked(request)
}

/** In the first version a batch was kept in one piece. */
function divide(transaction: IDBTransaction): void {
  const cursor = transaction.objectStore('batches').openCursor()
  cursor.addEventListener('success', () => {
    if (cursor.result === null) return
    const { documents, names, ...batch } = cursor.result.value as Omit<WholeBatch, 'count'>
    transaction.objectStore('contents').put({ id: batch.id, documents, names })
    cursor.result.update({ ...batch, count: documents.length })
    cursor.result.continue()
  })
}

/** What survives a reload; where the browser refuses that (some private windows), the page's own memory. */
export async function openOutboxStore(): Promise<OutboxStore> {
  try {
    return inDatabase(await open(indexedDB))
  } catch {
    return inMemory()
  }
}

/** So many are put before the page may answer. */
const putAtOnce = 500

function inDatabase(database: IDBDatabase): OutboxStore {
  // Another tab, of a later version of this page, is not kept waiting.
  database.addEventListener('versionchange', () => database.close())
  type Name = 'batches' | 'contents' | 'names'
  /** @param act may wait for its own requests, and for nothing else: then the transaction would end */
  const change = async (names: readonly Name[], act: (into: (name: Name) => IDBObjectStore) => unknown): Promise<void> => {
    // On disk before anybody is told that it is kept.
    const transaction = database.transaction(names, 'readwrite', { durability: 'strict' })
    const acting = async () => {
      try {
        await act((name) => transaction.objectStore(name))
      } catch (error) {
        // Nothing of it, unless that is so already.
        if (transaction.error === null) transaction.abort()
        throw error
      }
    }
    await Promise.all([done(transaction), acting()])
  }
  return {
    lasting: true,
    batches: async () => {
      const found = await asked(database.transaction('batches').objectStore('batches').getAll())
      return (found as WaitingBatch[]).sort((a, b) => (a.made_at < b.made_at ? -1 : 1))
    },
    contentOf: async (id) => {
      const found = await asked(database.transaction('contents').objectStore('contents').get(id))
      return (found as BatchContent | undefined) ?? null
    },
    put: (batches) =>
      change(['batches', 'contents'], async (into) => {
        for (const { documents, names, ...batch } of batches) {
          into('batches').put(batch)
          // Copied when it is put: one at a time, the page answers in between.
          await asked(into('contents').put({ id: batch.id, documents, names }))
        }
      }),
    change: (batch) => change(['batches'], (into) => into('batches').put(batch)),
    remove: (id) =>
      change(['batches', 'contents'], (into) => {
        into('batches').delete(id)
        into('contents').delete(id)
      }),
    keepNames: (names) =>
      change(['names'], async (into) => {
        for (const [i, name] of names.entries()) {
          const putting = into('names').put(name)
          if (i % putAtOnce === putAtOnce - 1) await asked(putting)
        }
      }),
    nameOf: async (user, ids) => {
      const from = database.transaction('names').objectStore('names')
      const found = await Promise.all(ids.map((id) => asked(from.get(id) as IDBRequest<HiddenName | undefined>)))
      return new Map(found.flatMap((each) => (each?.user === user ? [[each.id, each.name] as const] : [])))
    },
    forgetNames: (user) =>
      change(['names'], (into) => {
        const cursor = into('names').index('user').openKeyCursor(IDBKeyRange.only(user))
        cursor.addEventListener('success', () => {
          if (cursor.result === null) return
          into('names').delete(cursor.result.primaryKey)
          cursor.result.continue()
        })
      }),
  }
}

function inMemory(): OutboxStore {
  const batches = new Map<string, WholeBatch>()
  const names = new Map<string, HiddenName>()
  return {
    lasting: false,
    batches: () => Promise.resolve([...batches.values()]),
    contentOf: (id) => Promise.resolve(batches.get(id) ?? null),
    put: (kept) => {
      for (const batch of kept) batches.set(batch.id, batch)
      return Promise.resolve()
    },
    change: (batch) => {
      const whole = batches.get(batch.id)
      if (whole !== undefined) batches.set(batch.id, { ...whole, ...batch })
      return Promise.resolve()
    },
    remove: (id) => {
      batches.delete(id)
      return Promise.resolve()
    },
    keepNames: (kept) => {
      for (const name of kept) names.set(name.id, name)
      return Promise.resolve()
    },
    nameOf: (user, ids) =>
      Promise.resolve(
        new Map(
          ids.flatMap((id) => {
            const kept = names.get(id)
            return kept?.user === user ? [[id, kept.name] as const] : []
          }),
        ),
      ),
    forgetNames: (user) => {
      for (const [id, kept] of names) if (kept.user === user) names.delete(id)
      return Promise.resolve()
    },
  }
}
