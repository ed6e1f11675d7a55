/**
 * Versions of the licence's text, which stands in the messages `licensing.terms.<version>.…`: a licence says which one was accepted, and an
 * old one stays readable.
 */
export const termsVersions = ['2026-11'] as const
export type TermsVersion = (typeof termsVersions)[number]
export const currentTerms: TermsVersion = '2026-11'
