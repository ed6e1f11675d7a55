/** What composition roots may use of the module. */
export { openErrorReports, type ErrorReports } from './errors/report-errors.ts'
export { clientErrorRoutes } from './errors/client-errors.ts'
