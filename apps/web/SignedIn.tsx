/** Parts of the shell that only a user sees: one chunk. */
export { AccountMenu } from '../../modules/identity/web/frame/AccountMenu.tsx'
export { PartnerLogo } from '../../modules/identity/web/frame/PartnerLogo.tsx'
export { ReferralButton } from '../../modules/identity/web/frame/ReferralButton.tsx'
