/** E-29: `offered`: it is for sale; `licensed`: somebody has a licence of it, whether it still is or not. */
export const sales = ['none', 'offered', 'licensed'] as const
export type Sale = (typeof sales)[number]
