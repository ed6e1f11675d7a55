/** Public face of the sample in the page. */
export { loadSample } from './read-sample.ts'
