/** Where pages are written ahead there is no head yet: whoever writes them says what it will hold. */
type Written = { readonly probantHead?: Readonly<Record<string, unknown>> }

/** What the server put into the head of the page it sent, as JSON; null: nothing of that name. */
export function readHead(name: string): unknown {
  if (typeof document === 'undefined') return (globalThis as Written).probantHead?.[name] ?? null
  const given = document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)
  return given === null ? null : (JSON.parse(given.content) as unknown)
}
