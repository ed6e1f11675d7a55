import type { ReactNode } from 'react'
import { InvoiceDetails } from '../../../modules/account/web/components/InvoiceDetails.tsx'
import { registerWithLicense } from '../../../modules/identity/contract/license-registration.ts'
import { RegistrationForm } from '../../../modules/identity/web/sign-in/RegistrationForm.tsx'
import { SalePage } from '../../../modules/licensing/web/pages/SalePage.tsx'
import type { Elsewhere } from '../../../modules/licensing/web/sale/BuyLicense.tsx'
import { call } from '../../../ui/api/call.ts'

export { VerifyLicensePage } from '../../../modules/licensing/web/pages/VerifyLicensePage.tsx'

/** C-49: the account is asked for together with the licence. */
const Register: Elsewhere['Register'] = ({ token, beneficiary, onSignedIn, below }) => (
  <RegistrationForm
    brand={null}
    start={{ email: beneficiary.email, first_name: beneficiary.first_name, last_name: beneficiary.last_name }}
    ask={async (registration) =>
      await call(registerWithLicense, {
        body: { ...registration, sale_token: token, beneficiary, terms_accepted: true, withdrawal_waived: true },
        anonymous: true,
      })
    }
    onSignedIn={onSignedIn}
    below={below}
  />
)

/** Selling knows neither accounts nor their profiles. */
export function Sale(): ReactNode {
  return <SalePage Register={Register} InvoiceDetails={InvoiceDetails} />
}
