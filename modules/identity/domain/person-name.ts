export { personNameFault } from '../../../kernel/person-name.ts'
