/** What the server put into the head of the page it sent, as JSON; null: nothing of that name. */
export function readHead(name: string): unknown {
  const given = typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)
  return given === null ? null : (JSON.parse(given.content) as unknown)
}
