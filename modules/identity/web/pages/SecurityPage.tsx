import type { ReactNode } from 'react'
import { ChangePassword } from '../components/ChangePassword.tsx'
import { SecondFactor } from '../components/SecondFactor.tsx'
import { Sessions } from '../components/Sessions.tsx'

export function SecurityPage(): ReactNode {
  return (
    <>
      <SecondFactor />
      <ChangePassword />
      <Sessions />
    </>
  )
}
