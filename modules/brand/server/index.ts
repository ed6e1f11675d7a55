/** Public face of the brand module on the server. */
export { registerBrandFiles } from './brand-files.ts'
export { loadBrands, nameOfBrand } from './load-brands.ts'
export type { Brand } from './load-brands.ts'
export { brandOfRegistration, mailBrand, pageBrand, selectBrand } from './select-brand.ts'
