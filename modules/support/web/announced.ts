/** Files as the contract announces them. */
export const announced = (files: readonly File[]) => files.map(({ name, size }) => ({ name, bytes: size }))
