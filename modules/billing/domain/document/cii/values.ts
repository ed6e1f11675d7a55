/** Values as the schema of CII writes them (UN/CEFACT D16B unqualified data types). */
import type { Cents } from '../../money/money.ts'
import type { Day } from '../invoice-document.ts'
import { element, type XmlNode } from './xml.ts'

/** `1234.50`. */
export function amountText(cents: Cents): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** `20`, `5.5`: as the French list of rates writes them. */
export const percentText = (basisPoints: number): string => amountText(basisPoints).replace(/\.?0+$/, '')

/** Format 102 of UNTDID 2379: YYYYMMDD. */
const compact = (day: Day): string => day.replaceAll('-', '')

export const amount = (name: string, cents: Cents): XmlNode | null => element(name, amountText(cents))
export const dateTime = (name: string, day: Day | null): XmlNode | null =>
  day === null ? null : element(name, [element('udt:DateTimeString', compact(day), { format: '102' })])
/** Of what is referred to. */
export const formattedDate = (name: string, day: Day): XmlNode | null =>
  element(name, [element('qdt:DateTimeString', compact(day), { format: '102' })])
