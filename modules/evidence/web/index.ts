/** Public face of the evidence module in the browser. */
export { EvidenceTabs } from './list/EvidenceTabs.tsx'
