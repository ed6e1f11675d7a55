export { parseEmailAddress, type EmailAddress } from '../../../kernel/email-address.ts'
