/**
 * Tabs of this browser tell each other that an address was confirmed, by itself and without any proof: the one where the password was
 * typed signs in with it (decision 0428).
 */
const name = 'probant.confirmed'

const channel = (): BroadcastChannel | null => (typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name))
const sameMailbox = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

export function tellConfirmed(email: string): void {
  const told = channel()
  // A channel reaches this origin alone.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  told?.postMessage(email)
  told?.close()
}

/** @returns what ends it */
export function onConfirmedElsewhere(email: string, confirmed: () => void): () => void {
  const heard = channel()
  if (heard === null) return () => undefined
  heard.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string' && sameMailbox(data, email)) confirmed()
  })
  return () => heard.close()
}
