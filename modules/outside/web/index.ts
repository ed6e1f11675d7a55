/** What the pages of other modules may use of this one. */
export { AskAgain } from './AskAgain.tsx'
