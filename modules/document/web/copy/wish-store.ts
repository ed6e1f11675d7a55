import { asked, done } from '../outbox/outbox-store.ts'

/** A file whose copy is to be sent: what is known of it once the page has forgotten the file itself. */
export type WishedCopy = {
  /** Of the deposit. */
  readonly id: string
  /** Whose session sends it, and by which delegation. */
  readonly user: string
  readonly delegation: string | null
  /** What it is called here. */
  readonly name: string
  readonly sha256: string
  /** The tab that has the file; while it is open, no other asks for it. */
  readonly tab: string
}

export type WishStore = {
  readonly all: () => Promise<readonly WishedCopy[]>
  readonly put: (wished: readonly WishedCopy[]) => Promise<void>
  readonly remove: (ids: readonly string[]) => Promise<void>
}

const databaseName = 'probant.copies'
const storeName = 'wished'

async function open(): Promise<WishStore> {
  const request = indexedDB.open(databaseName, 1)
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore(storeName, { keyPath: 'id' })
  })
  const database = await asked(request)
  database.addEventListener('versionchange', () => database.close())
  const change = async (act: (into: IDBObjectStore) => void): Promise<void> => {
    const transaction = database.transaction(storeName, 'readwrite')
    const finished = done(transaction)
    act(transaction.objectStore(storeName))
    await finished
  }
  return {
    all: async () => (await asked(database.transaction(storeName).objectStore(storeName).getAll())) as WishedCopy[],
    put: (wished) =>
      change((into) => {
        for (const each of wished) into.put(each)
      }),
    remove: (ids) =>
      change((into) => {
        for (const id of ids) into.delete(id)
      }),
  }
}

/** Where the browser keeps nothing, what the page forgets is asked for on the page of each deposit. */
const forgetful: WishStore = {
  all: () => Promise.resolve([]),
  put: () => Promise.resolve(),
  remove: () => Promise.resolve(),
}

export async function openWishStore(): Promise<WishStore> {
  return await open().catch(() => forgetful)
}
