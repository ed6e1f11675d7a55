/** Public face of the report: facts and sealed pieces in, printed documents out. */
export type { ReportInput } from './content/read-content.ts'
export type { AskedBy } from './content/report-content.ts'
export { makeReadme } from './instructions/readme.ts'
export { type PrintAndSignDeps, type PrintDeps, printPreview, printReports } from './print-report.ts'
