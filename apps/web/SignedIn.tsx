/** Parts of the shell that only a user sees: one chunk. */
export { AccountMenu } from '../../modules/identity/web/components/AccountMenu.tsx'
export { PartnerLogo } from '../../modules/identity/web/components/PartnerLogo.tsx'
export { ReferralButton } from '../../modules/identity/web/components/ReferralButton.tsx'
