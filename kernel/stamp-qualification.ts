/**
 * Whether a time stamp is qualified (article 42 eIDAS), by the trusted lists. `listed`: the newest list shows the service as qualified, and is
 * older than the token: only a later one can say it of the token itself. `not_measured`: no list was asked.
 */
export const stampQualifications = ['qualified', 'not_qualified', 'listed', 'not_established', 'not_measured'] as const
export type StampQualification = (typeof stampQualifications)[number]

/** Null: it may turn out either way, or nobody looked. */
export const qualifiedOf: Readonly<Record<StampQualification, boolean | null>> = {
  qualified: true,
  not_qualified: false,
  listed: null,
  not_established: null,
  not_measured: null,
}
