/** What was measured of the capturing machine; null where the system does not tell. */

export type UpdateFacts = {
  /** Last change of the record of installed packages, and end of the last upgrade in the package manager's log. */
  readonly patched_at: string | null
  readonly upgraded_at: string | null
  /** When the lists that the figures come from were fetched. */
  readonly lists_at: string | null
  /** Names of the packages with a security update that is not installed. */
  readonly pending_security: readonly string[] | null
  readonly pending_other: number | null
  /** When the package manager was asked what waits and what it offers; it may have been for a session before this one. Null: it did not answer. */
  readonly asked_at: string | null
  /** Version of Chromium that the lists offer, as the package manager writes it. */
  readonly browser_offered: string | null
}

/**
 * Whether a browser (`Chromium 156.0.8078.79`) is older than a package (`156.0.8078.79-1~deb12u1`, deb-version(7)); null when either
 * cannot be read.
 */
export function isOlderThan(product: string, offered: string): boolean | null {
  const parts = (version: string | undefined) => version?.split('.').map(Number) ?? null
  const own = parts(/ (\d+(?:\.\d+)*)$/.exec(product)?.[1])
  const other = parts(/^(?:\d+:)?(\d+(?:\.\d+)*)(?:[-+~]|$)/.exec(offered)?.[1])
  if (own === null || other === null) return null
  const at = other.findIndex((part, i) => part !== own[i])
  return at !== -1 && (own[at] ?? 0) < (other[at] ?? 0)
}

export type FirewallFacts = {
  readonly tool: 'nftables' | 'iptables' | null
  /** Rules in force; null when they could not be read. */
  readonly rules: number | null
  /** The chain for what comes in drops what no rule lets pass. */
  readonly drops_by_default: boolean | null
  /** Hexadecimal SHA-256 of the rules as the tool printed them: the rules themselves would tell an attacker too much. */
  readonly sha256: string | null
  readonly error: string | null
}

export type AntivirusFacts = {
  readonly installed: boolean
  /** `ClamAV 1.4.3`, as it says itself. */
  readonly engine: string | null
  readonly signatures: string | null
  readonly signatures_at: string | null
  readonly scan: {
    readonly at: string
    readonly files: readonly {
      readonly path: string
      readonly result: 'clean' | 'found' | 'failed'
      readonly detail: string | null
    }[]
  } | null
  readonly error: string | null
}

export type ProxyFacts = {
  /** Where a proxy is set: variables of this process, lines of /etc/environment. Without their values, which may hold passwords. */
  readonly system: readonly string[]
  /** Flags and policies of the browser about proxies. */
  readonly browser: readonly string[]
  /** All of the above but the tunnel. */
  readonly foreign: readonly string[]
  /** Network interfaces of the namespace that the browser ran in; null when that could not be read. */
  readonly interfaces: readonly string[] | null
}

/** Fields that a proxy or a cache on the way leaves on plain HTTP, and that a site's own network leaves as well. */
export type OnTheWay = { readonly url: string; readonly encrypted: boolean; readonly field: string; readonly value: string }

/** An extension as the browser lists it itself (chrome://extensions-internals). */
export type ExtensionFacts = {
  readonly id: string
  readonly name: string
  /** Where it came from: `COMPONENT` is part of the browser itself. */
  readonly location: string
  readonly version: string
}

/** Files of a Chromium profile that hold what a user saved, by what they hold. */
const savedFiles = {
  passwords: /^(?:Login Data|Login Data For Account|Affiliation Database)/,
  forms: /^(?:Web Data|Account Web Data|AutofillStrikeDatabase|AutofillAiModelCache)/,
  addOns:
    /^(?:Extensions|Extension State|Extension Rules|Extension Scripts|Extension Cookies|Local Extension Settings|Sync Extension Settings|Managed Extension Settings)$/,
} as const

/** Which of a profile's entries hold saved passwords, form data or data of add-ons. @param entries lines `type size path`. */
export function findSavedData(entries: readonly string[]): Readonly<Record<keyof typeof savedFiles, readonly string[]>> {
  const paths = entries.map((entry) => entry.split(' ').slice(2).join(' '))
  const matching = (pattern: RegExp) => paths.filter((path) => path.split('/').some((part) => pattern.test(part)))
  return { passwords: matching(savedFiles.passwords), forms: matching(savedFiles.forms), addOns: matching(savedFiles.addOns) }
}
