/** The part of the Trusted Types API that is used; browsers without it enforce nothing, and need no policy. */
type PolicyFactory = {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string | null; createScriptURL(address: string): string | null },
  ): unknown
}

/** Style sheets that the kit writes hold no tag and no character reference; whatever has one is refused, and what asked for it fails. */
export function plainMarkup(text: string): string | null {
  return /[<&]/.test(text) ? null : text
}

/** Workers are built files of this origin; the one that keeps the verifier has a name that never changes. */
export function builtScript(address: string, origin: string): string | null {
  const url = URL.parse(address, `${origin}/`)
  const isBuilt = url?.pathname.startsWith('/assets/') === true || url?.pathname === '/service-worker.js'
  return url?.origin === origin && isBuilt ? address : null
}

/** The one policy that the server's allows (decision 0272): what no rule names, such as text as a script, is refused. */
export function refuseUntrustedText(page: {
  readonly trustedTypes?: PolicyFactory
  readonly location: { readonly origin: string }
}): void {
  page.trustedTypes?.createPolicy('default', {
    createHTML: plainMarkup,
    createScriptURL: (address) => builtScript(address, page.location.origin),
  })
}

if (typeof window === 'object') {
  refuseUntrustedText(window)
  // zod tries whether it may make functions of text, which the policy refuses and tells of; this is what its `config` sets.
  const shared = globalThis as { __zod_globalConfig?: { jitless?: boolean } }
  shared.__zod_globalConfig ??= {}
  shared.__zod_globalConfig.jitless = true
}
