/** E-53. `automatic`: the least loaded; `public`: one chosen from the pool; `dedicated`: one of one's own alone (decision H-17). */
export const serverLocations = ['automatic', 'dedicated', 'public'] as const
export type ServerLocation = (typeof serverLocations)[number]

/** Mails that may be turned off. What concerns the security of an account is always sent. */
export const notificationKinds = ['report_ready', 'draft_ending', 'download_reminder', 'anchored', 'proof_weakening'] as const
export type NotificationKind = (typeof notificationKinds)[number]

export type Settings = {
  readonly serverLocation: ServerLocation
  /** Of the server chosen; null with `automatic`, and as long as none is. */
  readonly serverId: string | null
  /** E-54: whether a new capture is set to close the page's cookie banner (decision H-12: off). */
  readonly closeCookies: boolean
  /** E-55: whether a report of this account is stamped by the outside authorities that the installation has (decision 0279). */
  readonly eidasTimestamping: boolean
  readonly notifications: Readonly<Record<NotificationKind, boolean>>
}

export const defaultSettings: Settings = {
  serverLocation: 'automatic',
  serverId: null,
  closeCookies: false,
  eidasTimestamping: true,
  notifications: { report_ready: true, draft_ending: true, download_reminder: true, anchored: false, proof_weakening: true },
}

export type SettingsFault = 'server_required' | 'server_unknown' | 'server_not_chosen'
