import type { DepositInput } from '../../contract/document.ts'

/** Fingerprints that are still to be sent, as one call. */
export type WaitingBatch = {
  readonly id: string
  /** Whoever deposits, and by which delegation: nobody else's session sends them. */
  readonly user: string
  readonly delegation: string | null
  readonly made_at: string
  /** Seal at once; otherwise drafts. */
  readonly agree: boolean
  readonly documents: readonly DepositInput[]
  /** What each is called here; with hidden names the only place where they stand. */
  readonly names: readonly string[]
  readonly hidden: boolean
  /** The server's answer, when that was no: it is sent again only when somebody asks. */
  readonly refused: { readonly code: string; readonly data: Readonly<Record<string, unknown>> } | null
}

/** A name that was not sent, for its owner to find it by in his own browser. */
export type HiddenName = { readonly id: string; readonly user: string; readonly name: string }

export type OutboxStore = {
  /** False: the browser refuses to keep anything; all is lost with the page, and that is said. */
  readonly lasting: boolean
  readonly batches: () => Promise<readonly WaitingBatch[]>
  /** All of them, or none. */
  readonly put: (batches: readonly WaitingBatch[]) => Promise<void>
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
  const request = factory.open(databaseName, 1)
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore('batches', { keyPath: 'id' })
    request.result.createObjectStore('names', { keyPath: 'id' }).createIndex('user', 'user')
  })
  return asked(request)
}

/** What survives a reload; where the browser refuses that (some private windows), the page's own memory. */
export async function openOutboxStore(): Promise<OutboxStore> {
  try {
    return inDatabase(await open(indexedDB))
  } catch {
    return inMemory()
  }
}

function inDatabase(database: IDBDatabase): OutboxStore {
  // Another tab, of a later version of this page, is not kept waiting.
  database.addEventListener('versionchange', () => database.close())
  const change = async (store: 'batches' | 'names', act: (into: IDBObjectStore) => void): Promise<void> => {
    // On disk before anybody is told that it is kept.
    const transaction = database.transaction(store, 'readwrite', { durability: 'strict' })
    const finished = done(transaction)
    act(transaction.objectStore(store))
    await finished
  }
  return {
    lasting: true,
    batches: async () => {
      const found = await asked(database.transaction('batches').objectStore('batches').getAll())
      return (found as WaitingBatch[]).sort((a, b) => (a.made_at < b.made_at ? -1 : 1))
    },
    put: (batches) =>
      change('batches', (into) => {
        for (const batch of batches) into.put(batch)
      }),
    remove: (id) =>
      change('batches', (into) => {
        into.delete(id)
      }),
    keepNames: (names) =>
      change('names', (into) => {
        for (const name of names) into.put(name)
      }),
    nameOf: async (user, ids) => {
      const from = database.transaction('names').objectStore('names')
      const found = await Promise.all(ids.map((id) => asked(from.get(id) as IDBRequest<HiddenName | undefined>)))
      return new Map(found.flatMap((each) => (each?.user === user ? [[each.id, each.name] as const] : [])))
    },
    forgetNames: (user) =>
      change('names', (into) => {
        const cursor = into.index('user').openKeyCursor(IDBKeyRange.only(user))
        cursor.addEventListener('success', () => {
          if (cursor.result === null) return
          into.delete(cursor.result.primaryKey)
          cursor.result.continue()
        })
      }),
  }
}

function inMemory(): OutboxStore {
  const batches = new Map<string, WaitingBatch>()
  const names = new Map<string, HiddenName>()
  return {
    lasting: false,
    batches: () => Promise.resolve([...batches.values()]),
    put: (kept) => {
      for (const batch of kept) batches.set(batch.id, batch)
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
