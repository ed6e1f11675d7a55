/** Pages of the installation that a report and README.txt send their readers to. */
import type { Locale } from '../../../../kernel/locale.ts'

/** @param site public address of the installation, without a slash at its end */
export const verifierOf = (site: string, locale: Locale): string => `${site}/${locale}/proofs/`

export const keysPageOf = (site: string, locale: Locale): string => `${site}/${locale}/keys/`

/** A digest in groups of eight, as verify.html and the page of the keys show it. */
export const groupDigest = (hex: string): string => hex.replace(/(.{8})(?=.)/g, '$1 ')
