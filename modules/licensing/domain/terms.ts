/**
 * Versions of the licence's text, which stands in the messages `licensing.terms.<version>.…`: a licence says which one was accepted, and an
 * old one stays readable.
 */
export const currentTerms = '2026-11'

/** Clauses in their order. */
export const clauses = ['grant', 'nominative', 'untouched', 'duration', 'rights', 'law'] as const
