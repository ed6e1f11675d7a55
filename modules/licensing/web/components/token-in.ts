const form = /^[A-Za-z0-9_-]{43}$/

/** The token of an address such as `https://…/fr/sale/<token>/`, or the token alone; null: there is none in it. */
export function tokenIn(given: string, page: 'sale' | 'licence'): string | null {
  const typed = given.trim()
  if (form.test(typed)) return typed
  const [, token = ''] = new RegExp(`/${page}/([^/?#\\s]+)/?(?:[?#]|$)`).exec(typed) ?? []
  return form.test(token) ? token : null
}
