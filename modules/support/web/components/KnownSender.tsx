import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { currentUserQuery } from '../../../account/web/index.ts'
import type { Draft } from '../../domain/draft-faults.ts'
import { ContactForm } from './ContactForm.tsx'

/** Whoever is signed in need not say who he is. */
export function KnownSender({ about }: { about: Partial<Draft> }): ReactNode {
  const text = useText()
  const { data: me, isError } = useQuery(currentUserQuery)
  if (me === undefined && !isError) return <p role="status">{text('ui.loading')}</p>
  const known = me === undefined ? {} : { name: `${me.first_name} ${me.last_name}`.trim(), email: me.email }
  return <ContactForm start={{ ...known, ...about }} />
}
