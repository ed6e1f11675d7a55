/**
 * Services of others that the operator has set up, as a page carries them in its head (`<meta name="services">`, JSON). Pages of help, support
 * and legal texts may speak to them, once their visitor agreed; code of others runs in none of our pages (decision 0433).
 */
export type PageServices = {
  /** Chatwoot: its address without trailing slash, and the inbox. */
  readonly chat: { readonly address: string; readonly token: string } | null
  /** Matomo: where its tracking API is, and the site. */
  readonly pixel: { readonly address: string; readonly site: number } | null
  /** Where recordings are sent, as envelopes. */
  readonly recording: { readonly address: string } | null
  /** Who scores visitors, by the address of the frame that his script runs in. */
  readonly score: { readonly frame: string; readonly origin: string } | null
  /** Whether the policy of this very document lets them be reached. */
  readonly reachable: boolean
}

export const serviceKinds = ['chat', 'pixel', 'recording', 'score'] as const
export type ServiceKind = (typeof serviceKinds)[number]

/** Where a service of others is; null: none of it is loaded. */
export function originOf(services: PageServices, kind: ServiceKind): string | null {
  if (kind === 'score') return services.score?.origin ?? null
  const address = services[kind]?.address
  return address === undefined ? null : new URL(address).origin
}
