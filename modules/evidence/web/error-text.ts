export { useErrorText } from '../../../ui/intl/error-text.ts'
