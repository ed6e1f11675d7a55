export { presenceOf } from '../domain/conditions.ts'
