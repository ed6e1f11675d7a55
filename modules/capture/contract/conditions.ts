export { presenceOf } from '../domain/conditions/conditions.ts'
