/**
 * Keeps the verifier usable without a network (decision 0436): its two pages, and what they are made of. Pages come from the network while it
 * answers; built files have the hash of their content in their name, so one that is kept is the right one. Calls are never kept.
 */

/** The part of a service worker's global that is used; the project is compiled for windows. */
type Lasting = { waitUntil(work: Promise<unknown>): void }
type Fetching = Lasting & { readonly request: Request; respondWith(answer: Promise<Response>): void }
type Scope = {
  readonly location: { readonly origin: string }
  addEventListener(name: 'install' | 'activate', hear: (event: Lasting) => void): void
  addEventListener(name: 'fetch', hear: (event: Fetching) => void): void
}
const scope = self as unknown as Scope

/** The build puts here what the verifier is made of: a version, then files, with commas between. */
const [version = '', ...files] = '__OFFLINE_FILES__'.split(',')
const kept = `probant-verifier-${version}`
const pages = ['/en/proofs/', '/fr/proofs/'] as const

async function keep(): Promise<void> {
  const cache = await caches.open(kept)
  await cache.addAll(files.map((file) => `/${file}`))
  // Without credentials no answer changes the language that the visitor has.
  for (const page of pages) await cache.put(page, await answered(new Request(page, { credentials: 'omit', cache: 'no-store' })))
}

async function answered(request: Request): Promise<Response> {
  const answer = await fetch(request)
  if (!answer.ok) throw new Error(`${String(answer.status)} ${request.url}`)
  return answer
}

/** Once no page of before is open any more: until then it finds the files that it was made with. */
async function forgetOthers(): Promise<void> {
  for (const other of await caches.keys()) if (other.startsWith('probant-verifier-') && other !== kept) await caches.delete(other)
}

async function fromKept(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? (await fetch(request))
}

async function fromNetwork(request: Request, page: string): Promise<Response> {
  try {
    return await fetch(request)
  } catch (lost) {
    const found = await caches.match(page)
    if (found === undefined) throw lost
    return found
  }
}

scope.addEventListener('install', (event) => event.waitUntil(keep()))
scope.addEventListener('activate', (event) => event.waitUntil(forgetOthers()))
scope.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== scope.location.origin) return
  const page = pages.find((each) => each === url.pathname)
  if (request.mode === 'navigate' && page !== undefined) event.respondWith(fromNetwork(request, page))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(fromKept(request))
})

export {}
