/** Where and how a checklist is shown, by pages and by printed reports alike. */
export { conditionsOf, presenceOf } from '../domain/conditions.ts'
