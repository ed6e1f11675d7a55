import type { ReactNode } from 'react'
import { ChangePassword } from '../security/ChangePassword.tsx'
import { SecondFactor } from '../security/SecondFactor.tsx'
import { Sessions } from '../security/Sessions.tsx'

export function SecurityPage(): ReactNode {
  return (
    <>
      <SecondFactor />
      <ChangePassword />
      <Sessions />
    </>
  )
}
