import type { Draft } from '../domain/draft-faults.ts'

/** What was typed and not sent, in this tab alone: a reload, or signing in, loses none of it. */
const key = 'probant.support-draft'

export function readDraft(): Partial<Draft> {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? '{}') as Readonly<Record<string, unknown>>
    return Object.fromEntries(
      (['name', 'email', 'title', 'description'] as const).flatMap((name) => {
        const value = kept[name]
        return typeof value === 'string' && value !== '' ? [[name, value]] : []
      }),
    )
  } catch {
    return {}
  }
}

export function keepDraft(draft: Draft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // A browser that refuses storage keeps it on the page.
  }
}

/** What is being said to a request, by its id. */
const replyKey = (id: string) => `probant.support-reply.${id}`

export function readReply(id: string): string {
  try {
    return sessionStorage.getItem(replyKey(id)) ?? ''
  } catch {
    return ''
  }
}

export function keepReply(id: string, reply: string): void {
  try {
    if (reply === '') sessionStorage.removeItem(replyKey(id))
    else sessionStorage.setItem(replyKey(id), reply)
  } catch {
    // A browser that refuses storage keeps it on the page.
  }
}
