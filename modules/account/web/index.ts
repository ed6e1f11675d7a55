/** What other pages know of the account that is in use. It is loaded with each of them, and so loads no page. */
export { CompleteProfile } from './lazy-complete-profile.tsx'
export { currentUserQuery, useMayDeposit, useMayManage } from './current-user.ts'
