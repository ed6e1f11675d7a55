/** Debian packages that the product runs on. */
export const systemPackages: readonly string[]
