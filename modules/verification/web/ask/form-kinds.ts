/** The kinds of the five calls; the name stands in the address, so that a form can be linked to. */
export const formKinds = ['digest', 'bitcoin', 'nano', 'chainpoint', 'eidas'] as const
export type FormKind = (typeof formKinds)[number]
