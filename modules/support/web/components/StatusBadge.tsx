import type { ReactNode } from 'react'
import { Badge } from '../../../../ui/controls/Badge.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import type { RequestStatus } from '../../domain/request.ts'

const tones = { open: 'caution', answered: 'good', closed: 'plain' } as const satisfies Record<RequestStatus, string>

export function StatusBadge({ status }: { status: RequestStatus }): ReactNode {
  const text = useText()
  return <Badge tone={tones[status]}>{text(`support.page.status.${status}`)}</Badge>
}
